import { StoreError } from '../store.ts';

/**
 * The instant, in milliseconds, from which on a claim that is put now is gone.
 *
 * @throws StoreError `failed` where the seconds are not whole, or not 1 to 4294967295: a claim without an end would
 * never be swept.
 */
export function expiryOf(now: number, ttlSeconds: number): number {
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > 0xffff_ffff) {
    throw new StoreError('failed', `ttlSeconds is ${ttlSeconds}; give a whole number from 1 to 4294967295`);
  }
  return now + ttlSeconds * 1000;
}
