import type { RefusalCode } from './outcome.ts';
import type { Erasure, Scope } from './scope.ts';

/**
 * What happened to one tool result, or on one call of a redeeming tool: sizes in characters, handles, tools, scopes;
 * never content. A handle lets someone who knows the scope test a guess of the content, so logs of events should not
 * outlive the claims.
 */
export type ClaimEvent =
  | ToolResultCarried
  | ToolResultStored
  | ToolResultCut
  | ClaimFetched
  | ClaimFound
  | ClaimRefused
  | ClaimsForgotten;

interface Timed {
  /** How long it took, in milliseconds, the store included. */
  readonly durationMs: number;
}

interface OfTool extends Timed {
  /** Whose run it is. */
  readonly scope: Scope;
  /** The tool whose result it is, or the redeeming tool that was called. */
  readonly tool: string;
}

/** A result entered the conversation whole. */
export interface ToolResultCarried extends OfTool {
  readonly type: 'tool_result_carried';
  /** The size of the result as the tool returned it, in characters. */
  readonly chars: number;
  /** Whether something in it had to be made harmless. */
  readonly neutralised: boolean;
  /** Where it was large enough to be checked in: why it was not. */
  readonly notStored: string | undefined;
}

/** A result went to the store, and a ticket entered the conversation. */
export interface ToolResultStored extends OfTool {
  readonly type: 'tool_result_stored';
  readonly handle: string;
  /** The size of the result as the tool returned it, in characters. */
  readonly chars: number;
  /** The size of what entered the conversation, in characters. */
  readonly carriedChars: number;
}

/** A result was cut, and the rest was not kept. */
export interface ToolResultCut extends OfTool {
  readonly type: 'tool_result_cut';
  /** The size of the result as the tool returned it, in characters. */
  readonly chars: number;
  /** The size of what entered the conversation, in characters. */
  readonly carriedChars: number;
  /** Why it was not checked in. */
  readonly why: string;
}

/** The model read a window. */
export interface ClaimFetched extends OfTool {
  readonly type: 'claim_fetched';
  readonly handle: string;
  /** Where the window starts, in characters. */
  readonly offset: number;
  /** The size of the window, in characters. */
  readonly chars: number;
}

/** The model searched. */
export interface ClaimFound extends OfTool {
  readonly type: 'claim_found';
  readonly handle: string;
  /** From where it searched, in characters. */
  readonly offset: number;
  /** How many matches it was told of. */
  readonly matches: number;
}

/** A redeeming tool gave nothing. */
export interface ClaimRefused extends OfTool {
  readonly type: 'claim_refused';
  /** The handle, where the store was asked for one. */
  readonly handle: string | undefined;
  /** What the model was told. */
  readonly code: RefusalCode;
  /** The real reason, for the operator alone. */
  readonly why: string | undefined;
}

/** A tenant or a run was forgotten. */
export interface ClaimsForgotten extends Timed {
  readonly type: 'claims_forgotten';
  readonly what: Erasure;
  /** How many live claims it held, as far as the store can tell. */
  readonly live: number;
}
