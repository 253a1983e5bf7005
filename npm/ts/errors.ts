import { StoreError } from './store.ts';
import type { Fault } from './wasm/core_bg.js';

/** What a {@link ClaimCheckError} is about. A store's own errors are {@link StoreError}s, with codes of their own. */
export type ErrorCode =
  /** Settings under which a claim check could save nothing or not work at all: see {@link SettingsError}. */
  | 'invalid-settings'
  /** The tenant or the run is empty, longer than 255 bytes of UTF-8, or holds a control character. */
  | 'invalid-scope'
  /** Not of the type that is asked for, or a number that is not whole or out of range. */
  | 'invalid-argument'
  /** A text with a lone surrogate, which is no Unicode text: `toWellFormed()` of it is. */
  | 'not-well-formed'
  /** More than 64 MiB of UTF-8. */
  | 'too-large'
  /** Nothing can be read under the handle, in this scope: see {@link ClaimUnavailableError}. */
  | 'claim-unavailable'
  /** A negative offset. */
  | 'invalid-offset'
  /** A text to find that is empty or longer than 256 characters. */
  | 'invalid-needle'
  /** `claim-check/slim` was used before its `init()`. */
  | 'not-initialised';

/** Why a call did nothing. Messages name what is wrong and what to do, and never hold a result's content. */
export class ClaimCheckError extends Error {
  override readonly name: string = 'ClaimCheckError';
  /** What to switch on. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What is wrong with settings. */
export type SettingsProblem =
  /** `thresholdChars` is 0. */
  | 'zero-threshold'
  /** `headChars` and `tailChars` together are not below `thresholdChars`. */
  | 'extract-not-below-threshold'
  /** `ttlSeconds` is 0. */
  | 'zero-ttl'
  /** `windowChars` is 0. */
  | 'zero-window'
  /** `perTool` names the tool twice. */
  | 'duplicate-tool'
  /** `perTool` has a policy for a redeeming tool, whose results are never checked in. */
  | 'policy-for-redeeming-tool'
  /** `fetchTool` or `findTool` is not 1 to 64 of `A-Z a-z 0-9 _ -`, or they are the same. */
  | 'bad-tool-name';

/** Settings that make no sense. */
export class SettingsError extends ClaimCheckError {
  override readonly name: string = 'SettingsError';
  declare readonly code: 'invalid-settings';
  readonly problem: SettingsProblem;
  /** The tool whose policy or name it is; none for the policy of all the others. */
  readonly tool: string | undefined;

  constructor(problem: SettingsProblem, tool: string | undefined, message: string) {
    super('invalid-settings', message);
    this.problem = problem;
    this.tool = tool;
  }
}

/** Why nothing can be read under a handle: for the operator's log alone. Every case reads the same to the model. */
export type Absence =
  /** Not `claim:` and 32 lower-case hexadecimal digits. The store was not asked. */
  | 'malformed'
  /** Expired, forgotten, never stored, or another scope's. */
  | 'missing'
  /** What the store returned is not what was checked in under this handle in this scope. */
  | 'damaged';

/** Nothing can be read under a handle, in this scope. */
export class ClaimUnavailableError extends ClaimCheckError {
  override readonly name: string = 'ClaimUnavailableError';
  declare readonly code: 'claim-unavailable';
  readonly absence: Absence;

  constructor(absence: Absence, message: string) {
    super('claim-unavailable', message);
    this.absence = absence;
  }
}

/** What the core threw, as an error; `stored` is what the store threw before, where it did. */
export function errorOf(fault: Fault, stored?: StoreError): ClaimCheckError | StoreError {
  const { code, message } = fault;
  switch (code) {
    case 'invalid-settings':
      return new SettingsError(fault.problem as SettingsProblem, fault.tool, message);
    case 'claim-unavailable':
      return new ClaimUnavailableError(fault.absence as Absence, message);
    case 'store':
      return stored ?? new StoreError('failed', message);
    default:
      return new ClaimCheckError(code as ErrorCode, message);
  }
}

/** Whether this was thrown by the core on purpose; anything else is an error of its own, a trap say. */
export function isFault(thrown: unknown): thrown is Fault {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && !(thrown instanceof Error);
}

/** Calls the core, and throws its faults as errors. */
export function calling<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw isFault(thrown) ? errorOf(thrown) : thrown;
  }
}
