// A store as the component imports it: without promises, and with errors as values of the contract.

import type { Erasure, Scope } from '../scope.ts';
import { type Claim, type ClaimStore, StoreError } from '../store.ts';
import { claimOf, liveOf, storeError } from '../store-answers.ts';
import type { ImportObject } from './generated/claim_check.js';

/**
 * A `ClaimStore` whose methods answer with values. `MemoryStore` is one; a store that answers with promises is none,
 * and belongs to `claim-check`, whose rules are the same.
 */
export interface SyncClaimStore extends ClaimStore {
  // Not `void` alone, to which TypeScript would assign a method that returns a promise.
  put(scope: Scope, handle: string, claim: Claim, ttlSeconds: number): void | undefined;
  fetch(scope: Scope, handle: string, first: number, count: number): Claim;
  forget(what: Erasure): number;
}

type Imported = ImportObject['claim-check:tool-results/store@0.1.0'];

/** What the component is instantiated with; `failed` is told what the store threw. */
export function importsOf(store: SyncClaimStore, failed: (error: StoreError) => void): ImportObject {
  const answering = <T, Answer>(method: string, call: () => T, shape: (answer: T) => Answer): Answer => {
    try {
      return shape(settled(method, call()));
    } catch (thrown) {
      const error = storeError(thrown);
      failed(error);
      // Not an `Error`, which would go past the component to whoever called it.
      throw { payload: error.code === 'not-found' ? { tag: error.code } : { tag: error.code, val: error.message } };
    }
  };
  const imported: Imported = {
    put: (scope, handle, claim, ttlSeconds) =>
      answering('put', () => store.put(scope, handle, claim, ttlSeconds), () => undefined),
    fetch: (scope, handle, first, count) => {
      const { manifest, pages } = answering('fetch', () => store.fetch(scope, handle, first, count), claimOf);
      return { manifest, pages: [...pages] };
    },
    forget: (what) => {
      const erasure = what.tag === 'run' ? { run: what.val } : { tenant: what.val };
      return answering('forget', () => store.forget(erasure), liveOf);
    },
  };
  // The key that is looked up has no version; the types that jco writes say otherwise.
  return { 'claim-check:tool-results/store': imported } as unknown as ImportObject;
}

/** An answer that is there. A promise would be taken for success, whatever becomes of it. */
function settled<T>(method: string, answer: T): T {
  const { then } = (answer ?? {}) as { then?: unknown };
  if (typeof then !== 'function') return answer;
  // Nobody waits for it, and a rejection that nobody waits for ends the process.
  then.call(answer, undefined, () => {});
  throw new StoreError(
    'failed',
    `the store's ${method} returned a promise, and claim-check/component can't wait: give it a store that answers at ` +
      "once, or this store to the ClaimCheck of 'claim-check'",
  );
}
