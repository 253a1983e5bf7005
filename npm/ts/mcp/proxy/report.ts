// What a session saved: sizes and names, never content.

import type { ClaimEvent } from '../../events.ts';

/** The results of one tool. Sizes in characters. */
interface ToolCounts {
  results: number;
  checkedIn: number;
  cut: number;
  /** How much was returned that did not enter the conversation at first. */
  charactersKeptOut: number;
  /** How much of it was read back. */
  windowsRedeemed: number;
  charactersRedeemed: number;
  searches: number;
}

/** Why results were cut, or handles refused, and how often. */
interface Reason {
  readonly code: string;
  /** For the operator alone. */
  readonly why: string;
  count: number;
}

/** The name under which windows are counted whose tool ran in an earlier session. */
const EARLIER = '(a tool of an earlier session)';

/** How many handles, tools and reasons are told apart. */
const MAX_TOLD_APART = 10_000;

/** Counts what happens. */
export class Report {
  readonly #since = new Date();
  readonly #tools = new Map<string, ToolCounts>();
  readonly #toolOf = new Map<string, string>();
  readonly #cuts = new Map<string, Reason>();
  readonly #refusals = new Map<string, Reason>();

  /** A result of a tool came. */
  seen(tool: string): void {
    this.#countsOf(tool).results += 1;
  }

  /** Something happened to it, or to a handle. */
  add(event: ClaimEvent): void {
    switch (event.type) {
      case 'tool_result_stored':
        this.#countsOf(event.tool).checkedIn += 1;
        this.#countsOf(event.tool).charactersKeptOut += event.chars - event.carriedChars;
        if (this.#toolOf.size < MAX_TOLD_APART) this.#toolOf.set(event.handle, event.tool);
        return;
      case 'tool_result_cut':
        this.cut(event.tool, event.chars - event.carriedChars, event.why);
        return;
      case 'claim_fetched':
        this.#countsOfHandle(event.handle).windowsRedeemed += 1;
        this.#countsOfHandle(event.handle).charactersRedeemed += event.chars;
        return;
      case 'claim_found':
        this.#countsOfHandle(event.handle).searches += 1;
        return;
      case 'claim_refused':
        tally(this.#refusals, event.code, event.why ?? 'the arguments are not what the schema asks for');
    }
  }

  /** A result was cut by so many characters. */
  cut(tool: string, characters: number, why: string): void {
    this.#countsOf(tool).cut += 1;
    this.#countsOf(tool).charactersKeptOut += characters;
    tally(this.#cuts, 'cut', why);
  }

  /** Everything counted so far, as JSON. */
  toString(): string {
    const tools = Object.fromEntries([...this.#tools].sort(([one], [other]) => (one < other ? -1 : 1)));
    const cuts = [...this.#cuts.values()].map(({ why, count }) => ({ why, count }));
    const report = { since: this.#since, until: new Date(), tools, cuts, refusals: [...this.#refusals.values()] };
    return `${JSON.stringify(report, undefined, 2)}\n`;
  }

  #countsOfHandle(handle: string): ToolCounts {
    return this.#countsOf(this.#toolOf.get(handle) ?? EARLIER);
  }

  #countsOf(tool: string): ToolCounts {
    const name = this.#tools.has(tool) || this.#tools.size < MAX_TOLD_APART ? tool : '(other tools)';
    let counts = this.#tools.get(name);
    if (counts === undefined) {
      const none = { windowsRedeemed: 0, charactersRedeemed: 0, searches: 0 };
      counts = { results: 0, checkedIn: 0, cut: 0, charactersKeptOut: 0, ...none };
      this.#tools.set(name, counts);
    }
    return counts;
  }
}

function tally(reasons: Map<string, Reason>, code: string, why: string): void {
  const reason = reasons.get(`${code}\n${why}`);
  if (reason !== undefined) reason.count += 1;
  else if (reasons.size < MAX_TOLD_APART) reasons.set(`${code}\n${why}`, { code, why, count: 1 });
}
