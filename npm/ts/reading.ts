// The lines between the steps: what the core asks for is fetched, and what comes is handed back, until there is an
// answer. A reading belongs to one call, and is freed with it.

import { calling, errorOf, isFault } from './errors.ts';
import type { Scope } from './scope.ts';
import type { Claim, ClaimStore, StoreError } from './store.ts';
import { claimOf, storeError } from './store-answers.ts';
import type { Fault, Reading } from './wasm/core_bg.js';

/** What a reading came to: an answer, or why there is none. */
export type Read<Answer> = { readonly answer: Answer } | { readonly fault: Fault; readonly stored: StoreError | undefined };

/** Drives a reading over a store, and frees it. */
export async function read<Answer>(store: ClaimStore, scope: Scope, reading: Reading<Answer>): Promise<Read<Answer>> {
  try {
    for (;;) {
      let claim: Claim;
      try {
        claim = claimOf(await store.fetch(scope, reading.handle(), reading.first(), reading.count()));
      } catch (thrown) {
        const stored = storeError(thrown);
        return { fault: faultOf(() => reading.refuse(stored.code, stored.message)) as Fault, stored };
      }
      let answer: Answer | undefined;
      const fault = faultOf(() => (answer = reading.accept(claim.manifest, claim.pages)));
      if (fault !== undefined) return { fault, stored: undefined };
      if (answer !== undefined) return { answer };
    }
  } finally {
    reading.free();
  }
}

/** The answer of a reading, or its fault as an error. */
export async function answerOf<Answer>(store: ClaimStore, scope: Scope, start: () => Reading<Answer>): Promise<Answer> {
  const came = await read(store, scope, calling(start));
  if ('answer' in came) return came.answer;
  throw errorOf(came.fault, came.stored);
}

function faultOf(call: () => unknown): Fault | undefined {
  try {
    call();
    return undefined;
  } catch (thrown) {
    if (isFault(thrown)) return thrown;
    throw thrown;
  }
}
