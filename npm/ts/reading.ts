// The lines between the steps: what the core asks for is fetched, and what comes is handed back, until there is an
// answer. A reading belongs to one call, and is freed with it.

import { calling, errorOf, isFault } from './errors.ts';
import type { Scope } from './scope.ts';
import { type Claim, type ClaimStore, StoreError, type StoreErrorCode } from './store.ts';
import type { Fault, Reading } from './wasm/core_bg.js';

const CODES: ReadonlySet<unknown> = new Set<StoreErrorCode>(['not-found', 'unavailable', 'full', 'failed']);

/** What a reading came to: an answer, or why there is none. */
export type Read<Answer> = { readonly answer: Answer } | { readonly fault: Fault; readonly stored: StoreError | undefined };

/** Drives a reading over a store, and frees it. */
export async function read<Answer>(store: ClaimStore, scope: Scope, reading: Reading<Answer>): Promise<Read<Answer>> {
  try {
    for (;;) {
      let claim: Claim;
      try {
        claim = whole(await store.fetch(scope, reading.handle(), reading.first(), reading.count()));
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

/** What a store threw, in the words of the contract; what is not in those words counts as `failed`. */
export function storeError(thrown: unknown): StoreError {
  if (thrown instanceof StoreError) return thrown;
  // By its name, too: a program may hold this package twice.
  if (thrown instanceof Error && thrown.name === 'StoreError' && CODES.has((thrown as { code?: unknown }).code)) {
    return new StoreError((thrown as unknown as StoreError).code, thrown.message, { cause: thrown });
  }
  const why = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `it threw a ${typeof thrown}`;
  return new StoreError('failed', `the store failed with an error that is no StoreError: ${why}`, { cause: thrown });
}

/** What a store's `fetch` returned, if that has the shape of a claim; what it proves is the core's business. */
function whole(claim: unknown): Claim {
  const { manifest, pages } = (claim ?? {}) as Partial<Claim>;
  if (typeof manifest === 'string' && Array.isArray(pages) && pages.every((page) => typeof page === 'string')) {
    return { manifest, pages };
  }
  throw new StoreError(
    'failed',
    "the store's fetch returned no { manifest, pages } of strings; where there is no claim it must throw a StoreError 'not-found'",
  );
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
