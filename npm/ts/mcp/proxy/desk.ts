// Where results are checked in and handles redeemed: what the proxy has between the two directions.

import type { ClaimCheck } from '../../claim-check.ts';
import type { Answer } from '../../outcome.ts';
import type { Scope } from '../../scope.ts';
import type { ClaimCheckSettings } from '../../settings.ts';
import type { ClaimStore } from '../../store.ts';
import { type Carrier, checkingIn } from '../carrier.ts';
import type { Report } from './report.ts';
import type { ServerState, Warn } from './server-state.ts';

/** What the proxy needs to know of it. */
export interface Desk {
  /** The names of the tools that are answered here. */
  readonly tools: ReadonlySet<string>;
  /** Their definitions, for the end of the list. */
  definitions(): Promise<readonly object[]>;
  /** The way of a tool's results into the conversation. */
  carrier(tool: string): Promise<Carrier>;
  answer(tool: string, args: string): Promise<Answer>;
  /** The names of the server's tools, as they are learned: ours must be others. */
  avoid(names: readonly string[]): void;
}

/** What goes in front of our tools' names, until they are no other tool's. */
function prefix(attempt: number): string {
  return attempt === 0 ? '' : attempt === 1 ? 'claim_check_' : `claim_check_${attempt}_`;
}

/** What one is made of. */
export interface CheckInDeskOptions {
  readonly settings: ClaimCheckSettings;
  readonly tenant: string;
  readonly state: ServerState;
  readonly store: ClaimStore;
  readonly report: Report;
  readonly warn: Warn;
}

/** Checks in, and redeems. The core is loaded when the first result comes, not before. */
export class CheckInDesk implements Desk {
  readonly #options: CheckInDeskOptions;
  readonly #theirs = new Set<string>();
  #tools: readonly [fetch: string, find: string];
  #claims: Promise<ClaimCheck> | undefined;
  #hasWarned = false;

  constructor(options: CheckInDeskOptions) {
    this.#options = options;
    this.#tools = named(options.state.prefix);
  }

  get tools(): ReadonlySet<string> {
    return new Set(this.#tools);
  }

  get #scope(): Scope {
    return { tenant: this.#options.tenant, run: this.#options.state.run };
  }

  async definitions(): Promise<readonly object[]> {
    return (await this.claims()).tools('mcp');
  }

  async carrier(tool: string): Promise<Carrier> {
    return checkingIn(await this.claims(), this.#scope, tool);
  }

  async answer(tool: string, args: string): Promise<Answer> {
    return (await this.claims()).answer(this.#scope, tool, args);
  }

  avoid(names: readonly string[]): void {
    for (const name of names) this.#theirs.add(name);
    if (!this.#tools.some((tool) => this.#theirs.has(tool))) return;
    let attempt = 0;
    while (named(prefix(attempt)).some((tool) => this.#theirs.has(tool))) attempt += 1;
    this.#tools = named(prefix(attempt));
    this.#claims = undefined;
    this.#options.state.prefix = prefix(attempt);
  }

  /** Rejects where the settings make no sense. */
  async validate(): Promise<void> {
    // A tenant that makes no sense is refused by any call; this one asks no store.
    await (await this.claims()).checkIn({ tenant: this.#options.tenant, run: 'validate' }, 'validate', '');
  }

  /** Forgets this run. */
  async forget(): Promise<void> {
    await (await this.claims()).forget({ run: this.#scope });
  }

  /** The claim check, loaded at the first call. Rejects where the settings make no sense. */
  claims(): Promise<ClaimCheck> {
    const [fetchTool, findTool] = this.#tools;
    const { settings, store, report } = this.#options;
    this.#claims ??= import('../../entry.default.ts').then(({ ClaimCheck }) =>
      ClaimCheck.open({
        ...settings,
        fetchTool,
        findTool,
        store,
        onEvent: (event) => {
          report.add(event);
          if (event.type === 'tool_result_cut') this.#warnOnce(event.why);
        },
      }),
    );
    return this.#claims;
  }

  #warnOnce(why: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.warn(`a large result was cut, and the rest was not kept: ${why}`);
  }
}

function named(prefix: string): readonly [string, string] {
  return [`${prefix}fetch_result`, `${prefix}find_in_result`];
}
