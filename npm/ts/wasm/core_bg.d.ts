// What the core exports, as `npm/src` has it: the glue's own types say `any` wherever an object crosses.
// Arguments are not checked here: texts are well-formed, counts are whole and fit 32 bits.

import type { Finding, Ticket, Window } from '../outcome.ts';

/** An oversized result, ready for the store, and the ticket for when the store has acknowledged it. */
export interface Deposit {
  readonly handle: string;
  readonly manifest: string;
  readonly pages: readonly string[];
  readonly ttlSeconds: number;
  readonly ticket: Ticket;
}

export interface Intake {
  /** The content's size in characters, as it came. */
  readonly chars: number;
  /** Where it was neutralised, and is small enough to carry. */
  readonly text: string | undefined;
  readonly deposit: Deposit | undefined;
}

export interface Cut {
  readonly chars: number;
  readonly carriedChars: number;
  readonly isNeutralised: boolean;
  readonly isCut: boolean;
  /** None where the content is carried as it is. */
  readonly text: string | undefined;
}

export interface Definition {
  readonly name: string;
  readonly description: string;
  /** JSON text. */
  readonly inputSchema: string;
}

export class Settings {
  constructor();
  free(): void;
  setFetchTool(name: string): void;
  setFindTool(name: string | null): void;
  setWindowChars(chars: number): void;
  setNeutralise(neutralise: boolean): void;
  setPolicy(
    tool: string | undefined,
    thresholdChars: number | undefined,
    headChars: number | undefined,
    tailChars: number | undefined,
    ttlSeconds: number | undefined,
  ): void;
  /** @throws Fault */
  validate(): void;
  /** @throws Fault */
  definitions(): Definition[];
}

export class Reading<Answer> {
  private constructor();
  free(): void;
  handle(): string;
  first(): number;
  count(): number;
  /** @throws Fault */
  accept(manifest: string, pages: readonly string[]): Answer | undefined;
  /** @throws Fault always */
  refuse(code: string, message: string): never;
}

/** What is thrown: a plain object, never an `Error`. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly problem?: string;
  readonly tool?: string;
  readonly absence?: string;
  readonly cause?: Fault;
}

export function receive(settings: Settings, tenant: string, run: string, tool: string, content: string): Intake;
export function cut(settings: Settings, content: string, maxChars: number): Cut;
export function neutralise(content: string): string | undefined;
export function truncate(content: string, maxChars: number): string | undefined;
export function validateErasure(tenant: string, run: string | undefined): void;
export function readWindow(
  tenant: string,
  run: string,
  handle: string,
  offset: number,
  maxChars: number,
): Reading<Window>;
export function readMatches(
  tenant: string,
  run: string,
  handle: string,
  needle: string,
  offset: number,
  maxMatches: number,
): Reading<Finding>;
export function readCall(
  settings: Settings,
  tenant: string,
  run: string,
  tool: string,
  argumentsJson: string,
): Reading<{ readonly text: string; readonly note: string; readonly offset: number; readonly matches: number }>;

/** Hands the glue the instance's exports. */
export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
