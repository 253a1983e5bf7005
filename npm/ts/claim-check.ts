import * as check from './arguments.ts';
import { neutralise, truncate } from './boundary.ts';
import { argumentsJson, reply } from './call.ts';
import { core } from './core.ts';
import { ClaimCheckError, calling, errorOf, isFault } from './errors.ts';
import type { ClaimEvent } from './events.ts';
import { heldSettings } from './held-settings.ts';
import type { Answer, Carried, Finding, Outcome, RefusalCode, Window } from './outcome.ts';
import { answerOf, read } from './reading.ts';
import type { Erasure, Scope } from './scope.ts';
import { type ClaimCheckSettings, SETTINGS } from './settings.ts';
import { type ClaimStore, StoreError } from './store.ts';
import { liveOf, storeError } from './store-answers.ts';
import { type ToolDefinition, type ToolFormats, toolsIn } from './tools.ts';
import type { Definition, Fault, Intake, Settings } from './wasm/core_bg.js';

/** What a claim check is opened with. */
export interface ClaimCheckOptions extends ClaimCheckSettings {
  /** Where claims are kept. */
  readonly store: ClaimStore;
  /** How many characters {@link ClaimCheck.carry} carries of a result that can't be checked in; 8000 by default. */
  readonly cutChars?: number;
  /** Told of every event, in place, so it should be quick; what it throws is ignored. */
  readonly onEvent?: (event: ClaimEvent) => void;
}

/** The name of a window's place. */
export interface FetchOptions {
  /** Where the window starts, in characters from 0; 0 by default. */
  readonly offset?: number;
  /** How many characters at most; 4096 by default. */
  readonly maxChars?: number;
}

/** Where a search starts and how much it gives. */
export interface FindOptions {
  /** Where to start searching, in characters from 0; 0 by default. */
  readonly offset?: number;
  /** How many matches at most, up to 100; 20 by default. */
  readonly maxMatches?: number;
}

/** The greatest number of characters that the core takes: no text has more. */
const NO_CUT = 4_294_967_295;

type Untimed<Event> = Event extends ClaimEvent ? Omit<Event, 'durationMs'> : never;

/**
 * Checks oversized tool results in, and redeems their handles.
 *
 * Any number of calls may be under way at once. Offsets, sizes and counts are Unicode characters (scalar values),
 * everywhere: `.length` counts UTF-16 units, which are two for many emoji, so an offset is no index into a string.
 *
 * A text with a lone surrogate is refused as `not-well-formed`, and a number that is not whole or out of range as
 * `invalid-argument`; nothing is silently replaced, rounded or wrapped.
 */
export class ClaimCheck {
  readonly #store: ClaimStore;
  readonly #settings: Settings;
  readonly #definitions: readonly Definition[];
  readonly #cutChars: number;
  readonly #onEvent: ((event: ClaimEvent) => void) | undefined;

  private constructor(options: ClaimCheckOptions) {
    check.record(options, 'options', ['store', 'cutChars', 'onEvent', ...SETTINGS]);
    this.#store = check.store(options.store);
    this.#cutChars = check.optional(options.cutChars, 'cutChars', check.count) ?? 8000;
    if (options.onEvent !== undefined && typeof options.onEvent !== 'function') {
      throw check.wrong('onEvent must be a function');
    }
    this.#onEvent = options.onEvent;
    this.#settings = heldSettings(options);
    this.#definitions = calling(() => this.#settings.definitions());
  }

  /**
   * A claim check over a store. Does not touch the store, and needs no `await`.
   *
   * @throws SettingsError where the settings make no sense; ClaimCheckError `invalid-argument` where an option is of
   * the wrong type, out of range or unknown, or where the store lacks a method.
   */
  static open(options: ClaimCheckOptions): ClaimCheck {
    return new ClaimCheck(options);
  }

  /**
   * What the conversation carries for one result of `tool`. A result over the tool's threshold has been acknowledged
   * by the store when the ticket is there; any other makes no call of the store. A redeeming tool's result is carried
   * as it is.
   *
   * @throws (rejects) StoreError where the store refused or failed; ClaimCheckError `invalid-scope`, `too-large`,
   * `invalid-argument`, `not-well-formed`. Nothing has entered the store then.
   */
  async checkIn(scope: Scope, tool: string, content: string): Promise<Outcome> {
    return this.#checkIn(performance.now(), check.scope(scope), check.text(tool, 'tool'), check.text(content, 'content'));
  }

  /**
   * The road of every tool result of an agent: as {@link checkIn}, but a result that can't be checked in is cut, with
   * a line that says so, and an event says why. So it never rejects because of the store or the result's size, and
   * what it carries is never unbounded.
   *
   * @throws (rejects) ClaimCheckError `invalid-scope`, `invalid-argument`, `not-well-formed`: mistakes of the caller.
   */
  async carry(scope: Scope, tool: string, content: string): Promise<Carried> {
    const started = performance.now();
    const [whose, named, result] = [check.scope(scope), check.text(tool, 'tool'), check.text(content, 'content')];
    try {
      return await this.#checkIn(started, whose, named, result);
    } catch (error) {
      if (error instanceof StoreError) return this.#cut(started, whose, named, result, error);
      if (error instanceof ClaimCheckError && error.code === 'too-large') {
        return this.#cut(started, whose, named, result, error);
      }
      throw error;
    }
  }

  /**
   * The characters from `offset` on, at most `maxChars`. Windows laid end to end are the content, byte for byte.
   *
   * @throws (rejects) ClaimUnavailableError where there is nothing to read under the handle, in this scope; StoreError
   * where the store failed; ClaimCheckError `invalid-offset` (negative), `invalid-scope`, `invalid-argument`,
   * `not-well-formed`.
   */
  async fetch(scope: Scope, handle: string, options: FetchOptions = {}): Promise<Window> {
    const { tenant, run } = check.scope(scope);
    const given = check.record(options, 'options', ['offset', 'maxChars']);
    const offset = check.optional(given['offset'], 'offset', check.offset) ?? 0;
    const maxChars = check.optional(given['maxChars'], 'maxChars', check.count) ?? 0;
    const named = check.text(handle, 'handle');
    return answerOf(this.#store, { tenant, run }, () => core().readWindow(tenant, run, named, offset, maxChars));
  }

  /**
   * Where `needle`, of 1 to 256 characters, stands in the content: literally, ignoring case, in order, without
   * overlap.
   *
   * @throws (rejects) as {@link fetch}, and ClaimCheckError `invalid-needle`.
   */
  async find(scope: Scope, handle: string, needle: string, options: FindOptions = {}): Promise<Finding> {
    const { tenant, run } = check.scope(scope);
    const given = check.record(options, 'options', ['offset', 'maxMatches']);
    const offset = check.optional(given['offset'], 'offset', check.offset) ?? 0;
    const most = check.optional(given['maxMatches'], 'maxMatches', check.count) ?? 0;
    const [named, sought] = [check.text(handle, 'handle'), check.text(needle, 'needle')];
    return answerOf(this.#store, { tenant, run }, () => core().readMatches(tenant, run, named, sought, offset, most));
  }

  /**
   * One call of a redeeming tool with the arguments that the model wrote: JSON text, or the value that it stood for.
   * Whatever the model got wrong is a refusal that it can read, not an error.
   *
   * @throws (rejects) ClaimCheckError `invalid-argument`, `not-well-formed` for the scope or the tool's name.
   */
  async answer(scope: Scope, tool: string, args: unknown): Promise<Answer> {
    const started = performance.now();
    const [whose, named] = [check.scope(scope), check.text(tool, 'tool')];
    const of = { scope: whose, tool: named };
    const refused = (fault: Fault, stored: StoreError | undefined, handle: string | undefined): Answer => {
      const cause = fault.cause && errorOf(fault.cause, stored);
      const code = fault.code as RefusalCode;
      this.#tell(started, { type: 'claim_refused', ...of, handle, code, why: cause?.message });
      return { refused: true, code, rendered: fault.message, cause };
    };
    let reading;
    try {
      reading = core().readCall(this.#settings, whose.tenant, whose.run, named, argumentsJson(args));
    } catch (thrown) {
      if (isFault(thrown)) return refused(thrown, undefined, undefined);
      throw thrown;
    }
    const handle = reading.handle();
    const came = await read(this.#store, whose, reading);
    if ('fault' in came) return refused(came.fault, came.stored, handle);
    const { text, note, offset, matches } = came.answer;
    if (named === this.fetchTool) {
      this.#tell(started, { type: 'claim_fetched', ...of, handle, offset, chars: characters(text) });
    } else {
      this.#tell(started, { type: 'claim_found', ...of, handle, offset, matches });
    }
    return reply(text, note);
  }

  /**
   * Drops every claim of the tenant, `{ tenant }`, or of one run, `{ run: { tenant, run } }`, for good, and says how
   * many were live, as far as the store can tell. Stop a run before forgetting it: what is checked in after a forget
   * is a new claim.
   *
   * @throws (rejects) ClaimCheckError `invalid-argument` for any other shape, and nothing is forgotten; `invalid-scope`;
   * StoreError where the store failed, and part may be left: try again.
   */
  async forget(what: Erasure): Promise<number> {
    const started = performance.now();
    const erased = check.erasure(what);
    const { tenant, run } = 'run' in erased ? erased.run : { tenant: erased.tenant, run: undefined };
    calling(() => core().validateErasure(tenant, run));
    let live: unknown;
    try {
      live = await this.#store.forget(erased);
    } catch (thrown) {
      throw storeError(thrown);
    }
    const count = liveOf(live);
    this.#tell(started, { type: 'claims_forgotten', what: erased, live: count });
    return count;
  }

  /**
   * A text as it is carried whole: harmless, or untouched where `neutralise: false` leaves that to you. For adapters,
   * which carry texts that are no result by themselves.
   *
   * @throws ClaimCheckError `invalid-argument`, `not-well-formed`.
   */
  harmless(content: string): string {
    const text = check.text(content, 'content');
    return core().cut(this.#settings, text, NO_CUT).text ?? text;
  }

  /** As the function {@link neutralise}, which needs no claim check. */
  neutralise(content: string): string {
    return neutralise(content);
  }

  /** As the function {@link truncate}, which needs no claim check. */
  truncate(content: string, maxChars: number): string {
    return truncate(content, maxChars);
  }

  /**
   * The redeeming tools' definitions for the model, in the format of MCP unless another one is named: the fetch tool,
   * and the find tool where there is one.
   *
   * @throws ClaimCheckError `invalid-argument` for a format that is none.
   */
  tools<Format extends keyof ToolFormats = 'mcp'>(format?: Format): ToolDefinition<Format>[] {
    return toolsIn(format, this.#definitions);
  }

  /** The name of the tool that returns windows. */
  get fetchTool(): string {
    return this.#definitions[0]!.name;
  }

  /** The name of the tool that searches; none where there is none. */
  get findTool(): string | undefined {
    return this.#definitions[1]?.name;
  }

  async #checkIn(started: number, scope: Scope, tool: string, content: string): Promise<Outcome> {
    const { tenant, run } = scope;
    const { chars, text, deposit }: Intake = calling(() => core().receive(this.#settings, tenant, run, tool, content));
    if (deposit === undefined) {
      const neutralised = text !== undefined;
      this.#tell(started, { type: 'tool_result_carried', scope, tool, chars, neutralised, notStored: undefined });
      return neutralised ? { kind: 'neutralised', rendered: text } : { kind: 'as-it-is', rendered: content };
    }
    const { handle, manifest, pages, ttlSeconds, ticket } = deposit;
    try {
      await this.#store.put(scope, handle, { manifest, pages }, ttlSeconds);
    } catch (thrown) {
      throw storeError(thrown);
    }
    if (this.#onEvent !== undefined) {
      const carriedChars = characters(ticket.rendered);
      this.#tell(started, { type: 'tool_result_stored', scope, tool, handle, chars, carriedChars });
    }
    return { kind: 'checked-in', rendered: ticket.rendered, ticket };
  }

  #cut(started: number, scope: Scope, tool: string, content: string, error: StoreError | ClaimCheckError): Carried {
    const { chars, carriedChars, isNeutralised, isCut, text } = core().cut(this.#settings, content, this.#cutChars);
    const [rendered, why] = [text ?? content, error.message];
    if (isCut) {
      this.#tell(started, { type: 'tool_result_cut', scope, tool, chars, carriedChars, why });
      return { kind: 'cut', rendered, error };
    }
    this.#tell(started, { type: 'tool_result_carried', scope, tool, chars, neutralised: isNeutralised, notStored: why });
    return { kind: isNeutralised ? 'neutralised' : 'as-it-is', rendered };
  }

  #tell(started: number, event: Untimed<ClaimEvent>): void {
    if (this.#onEvent === undefined) return;
    try {
      this.#onEvent({ ...event, durationMs: performance.now() - started } as ClaimEvent);
    } catch {
      // Whoever listens must not decide what becomes of a result.
    }
  }
}

/** How many characters a text has. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
