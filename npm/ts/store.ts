import type { Erasure, Scope } from './scope.ts';

/** What a store keeps under one handle. */
export interface Claim {
  /** What the handle proves: five header lines and a digest per page. Kept and given back as it is. */
  readonly manifest: string;
  /** The content in order, 16,384 characters (Unicode scalar values) a page, the last one shorter. */
  readonly pages: readonly string[];
}

/**
 * Where claims are kept. Yours to implement over whatever you have; `claim-check/store-suite` tests that it keeps
 * the rules. Methods may answer with a value or with a promise.
 *
 * A store reports what went wrong by throwing (or rejecting with) a {@link StoreError}; anything else that it throws
 * counts as `failed`.
 */
export interface ClaimStore {
  /**
   * Keeps a claim for at least `ttlSeconds` seconds, all or nothing. The same handle again, or over a damaged claim:
   * replaces it, and of two expiries the later one counts.
   */
  put(scope: Scope, handle: string, claim: Claim, ttlSeconds: number): void | Promise<void>;
  /**
   * The manifest, and `count` pages from page `first` on: fewer, or none, past the end. From the instant of its
   * expiry on a claim is not found, and neither is one of another scope.
   */
  fetch(scope: Scope, handle: string, first: number, count: number): Claim | Promise<Claim>;
  /** Drops every claim of the tenant or the run, for good, and says how many of them were live. */
  forget(what: Erasure): number | Promise<number>;
}

/** What a store answers where it can't do what was asked. */
export type StoreErrorCode =
  /** No live claim is held under the handle in this scope. */
  | 'not-found'
  /** It can't be reached or is busy; the same call may succeed later. */
  | 'unavailable'
  /** It takes no more for this scope. */
  | 'full'
  /** Trying again will not help. */
  | 'failed';

/** Thrown by a {@link ClaimStore}. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** What it comes to for the caller. */
  readonly code: StoreErrorCode;

  /** @param message The reason, for the operator: names and numbers, never content. */
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
