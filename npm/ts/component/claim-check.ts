import * as check from '../arguments.ts';
import { argumentsJson, reply } from '../call.ts';
import type { FetchOptions, FindOptions } from '../claim-check.ts';
import type { Answer, Finding, Outcome, RefusalCode, Window } from '../outcome.ts';
import type { Erasure, Scope } from '../scope.ts';
import { type ClaimCheckSettings, SETTINGS } from '../settings.ts';
import { type ToolDefinition, type ToolFormats, toolsIn } from '../tools.ts';
import { errorOf, settingsError } from './errors.ts';
import type { Root } from './generated/claim_check.js';
import type { Refusal, ToolDefinition as Definition } from './generated/interfaces/claim-check-tool-results-fetch.js';
import type { Erasure as Contracted, Settings } from './generated/interfaces/claim-check-tool-results-types.js';
import { Instances, type Refused } from './instance.ts';
import { wholeSettings } from './settings.ts';
import type { SyncClaimStore } from './store.ts';

/** What a claim check over the component is opened with. */
export interface ClaimCheckOptions extends ClaimCheckSettings {
  /** Where claims are kept. What it answers with a promise counts as `failed`. */
  readonly store: SyncClaimStore;
}

/**
 * Checks oversized tool results in, and redeems their handles, through the component that wasmtime runs.
 *
 * As the class of the same name in `claim-check`, with the same names, results and errors, but every method answers at
 * once, and throws where that one rejects. There is no `carry` and there are no events: the contract has neither.
 * The messages of errors are shorter, since the contract carries cases and not their wording.
 */
export class ClaimCheck {
  readonly #instances: Instances;
  readonly #settings: Settings;
  readonly #definitions: readonly Definition[];

  private constructor(options: ClaimCheckOptions) {
    check.record(options, 'options', ['store', ...SETTINGS]);
    this.#instances = new Instances(check.store(options.store) as SyncClaimStore);
    this.#settings = wholeSettings(options);
    this.#instances.answerOf(({ checkIn }) => checkIn.validate(this.#settings), settingsError);
    this.#definitions = this.#instances.answerOf(({ fetch }) => fetch.toolDefinitions(this.#settings), settingsError);
  }

  /**
   * A claim check over a store, which is not touched.
   *
   * @throws SettingsError where the settings make no sense; ClaimCheckError `invalid-argument` where an option is of
   * the wrong type, out of range or unknown, or where the store lacks a method.
   */
  static open(options: ClaimCheckOptions): ClaimCheck {
    return new ClaimCheck(options);
  }

  /**
   * What the conversation carries for one result of `tool`.
   *
   * @throws StoreError where the store refused or failed; ClaimCheckError `invalid-scope`, `too-large`,
   * `invalid-argument`, `not-well-formed`. Carry what `truncate` makes of the result then.
   */
  checkIn(scope: Scope, tool: string, content: string): Outcome {
    const [whose, named, result] = [check.scope(scope), check.text(tool, 'tool'), check.text(content, 'content')];
    const outcome = this.#call(({ checkIn }) => checkIn.checkIn(this.#settings, whose, named, result));
    switch (outcome.tag) {
      case 'as-it-is':
        return { kind: outcome.tag, rendered: result };
      case 'neutralised':
        return { kind: outcome.tag, rendered: outcome.val };
      case 'checked-in':
        return { kind: outcome.tag, rendered: outcome.val.rendered, ticket: outcome.val };
    }
  }

  /**
   * The characters from `offset` on, at most `maxChars`.
   *
   * @throws ClaimUnavailableError where there is nothing to read under the handle, in this scope; StoreError where the
   * store failed; ClaimCheckError `invalid-offset` (negative), `invalid-scope`, `invalid-argument`, `not-well-formed`.
   */
  fetch(scope: Scope, handle: string, options: FetchOptions = {}): Window {
    const [whose, named] = [check.scope(scope), check.text(handle, 'handle')];
    const given = check.record(options, 'options', ['offset', 'maxChars']);
    const offset = check.optional(given['offset'], 'offset', check.offset) ?? 0;
    const most = check.optional(given['maxChars'], 'maxChars', check.count) ?? 0;
    const { text, chars, nextOffset } = this.#call(({ fetch }) => fetch.fetch(whose, named, offset, most));
    return { text, offset, nextOffset, chars };
  }

  /**
   * Where `needle`, of 1 to 256 characters, stands in the content: literally, ignoring case, in order, without
   * overlap.
   *
   * @throws as {@link fetch}, and ClaimCheckError `invalid-needle`.
   */
  find(scope: Scope, handle: string, needle: string, options: FindOptions = {}): Finding {
    const [whose, named, sought] = [check.scope(scope), check.text(handle, 'handle'), check.text(needle, 'needle')];
    const given = check.record(options, 'options', ['offset', 'maxMatches']);
    const offset = check.optional(given['offset'], 'offset', check.offset) ?? 0;
    const most = check.optional(given['maxMatches'], 'maxMatches', check.count) ?? 0;
    const { matches, nextOffset } = this.#call(({ fetch }) => fetch.find(whose, named, sought, offset, most));
    return { matches, nextOffset };
  }

  /**
   * One call of a redeeming tool with the arguments that the model wrote: JSON text, or the value that it stood for.
   * Whatever the model got wrong, and whatever the store did, is a refusal that it can read, not an error.
   *
   * @throws ClaimCheckError `invalid-argument`, `not-well-formed` for the scope or the tool's name.
   */
  answer(scope: Scope, tool: string, args: unknown): Answer {
    const [whose, named, json] = [check.scope(scope), check.text(tool, 'tool'), argumentsJson(args)];
    const came = this.#instances.call(({ fetch }) => fetch.answer(this.#settings, whose, named, json));
    return 'refused' in came ? refusalOf(came.refused) : reply(came.answer.text, came.answer.note);
  }

  /**
   * Drops every claim of the tenant, `{ tenant }`, or of one run, `{ run: { tenant, run } }`, for good, and says how
   * many were live, as far as the store can tell.
   *
   * @throws ClaimCheckError `invalid-argument` for any other shape, and nothing is forgotten; `invalid-scope`;
   * StoreError where the store failed, and part may be left: try again.
   */
  forget(what: Erasure): number {
    const erased = check.erasure(what);
    const spelled: Contracted = 'run' in erased ? { tag: 'run', val: erased.run } : { tag: 'tenant', val: erased.tenant };
    return this.#call(({ forget }) => forget.forget(spelled));
  }

  /**
   * The redeeming tools' definitions for the model, in the format of MCP unless another one is named.
   *
   * @throws ClaimCheckError `invalid-argument` for a format that is none.
   */
  tools<Format extends keyof ToolFormats = 'mcp'>(format?: Format): ToolDefinition<Format>[] {
    return toolsIn(format, this.#definitions);
  }

  /** The name of the tool that returns windows. */
  get fetchTool(): string {
    return this.#settings.fetchTool;
  }

  /** The name of the tool that searches; none where there is none. */
  get findTool(): string | undefined {
    return this.#settings.findTool;
  }

  #call<T>(use: (root: Root) => T): T {
    return this.#instances.answerOf(use, errorOf);
  }
}

function refusalOf({ payload, stored }: Refused): Answer {
  const { code, message, cause } = payload as Refusal;
  return {
    refused: true,
    // As the model is told of them; the contract spells them with hyphens.
    code: code.replaceAll('-', '_') as RefusalCode,
    rendered: message,
    cause: cause && errorOf({ payload: cause, stored }),
  };
}
