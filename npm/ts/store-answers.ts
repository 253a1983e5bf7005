// What comes back from a store, which is somebody else's: held to its shape before it is used.

import { type Claim, StoreError, type StoreErrorCode } from './store.ts';

const CODES: ReadonlySet<unknown> = new Set<StoreErrorCode>(['not-found', 'unavailable', 'full', 'failed']);

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
export function claimOf(claim: unknown): Claim {
  const { manifest, pages } = (claim ?? {}) as Partial<Claim>;
  if (typeof manifest === 'string' && Array.isArray(pages) && pages.every((page) => typeof page === 'string')) {
    return { manifest, pages };
  }
  throw new StoreError(
    'failed',
    "the store's fetch returned no { manifest, pages } of strings; where there is no claim it must throw a StoreError 'not-found'",
  );
}

/** What a store's `forget` returned, if that is a count: whole, and of 32 bits, as the contract has it. */
export function liveOf(live: unknown): number {
  if (Number.isInteger(live) && (live as number) >= 0 && (live as number) <= 0xffff_ffff) return live as number;
  throw new StoreError('failed', "the store's forget returned no count of the claims that it dropped");
}
