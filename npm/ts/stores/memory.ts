import type { Erasure, Scope } from '../scope.ts';
import { type Claim, type ClaimStore, StoreError } from '../store.ts';
import { checkedBounds, fullMessage } from './bounds.ts';
import { erased } from './erasure.ts';
import { expiryOf } from './expiry.ts';

/** Counted for every claim beside its texts, so that a bound in bytes also bounds how many tiny claims are held. */
const CLAIM_BYTES = 512;
/** How many claims one put looks at for expired ones. It adds one, so the sweep overtakes. */
const SWEPT_PER_PUT = 16;

/** What a {@link MemoryStore} may hold, and what time it is. */
export interface MemoryStoreOptions {
  /** What one tenant may hold: bytes of UTF-8, and 512 for every claim. 128 MiB unless given. */
  readonly tenantBytes?: number;
  /** What all tenants may hold together, counted alike. 512 MiB unless given. */
  readonly totalBytes?: number;
  /** The time in milliseconds, from any start; a monotonic clock unless given. */
  readonly now?: () => number;
}

/**
 * A store in this process's memory: for tests, for demos, and for runs that need not survive the process.
 *
 * - **Bounded**, per tenant and in all; what exceeds a bound is refused as `full`, and nothing that is held is dropped
 *   for it. The bounds are in bytes of UTF-8. JavaScript keeps text of one wide character in two bytes each, so the
 *   memory in use can be twice that.
 * - **Expiring** to the millisecond. Expired claims leave a few with every put, and all before a put is refused. No
 *   timer is set: a store that nobody uses keeps what it holds, and never keeps the process running.
 * - **Synchronous**: every method answers with a value, so the store also serves the component.
 */
export class MemoryStore implements ClaimStore {
  readonly #tenantBytes: number;
  readonly #totalBytes: number;
  readonly #now: () => number;
  // Maps, because a tenant may be called `__proto__`.
  readonly #tenants = new Map<string, Tenant>();
  /** Every claim, the one that a sweep looked at longest ago first. */
  readonly #all = new Set<Held>();
  #bytes = 0;
  /** Nothing expires before this instant. */
  #quietUntil = Infinity;

  /** @throws RangeError where a bound is not a number above 0. */
  constructor(options: MemoryStoreOptions = {}) {
    const { tenantBytes = 128 * 2 ** 20, totalBytes = 512 * 2 ** 20, now = () => performance.now() } = options;
    checkedBounds({ tenantBytes, totalBytes });
    this.#tenantBytes = tenantBytes;
    this.#totalBytes = totalBytes;
    this.#now = now;
  }

  /** How much is held, in bytes as the bounds count them, expired claims that nothing has swept yet included. */
  get heldBytes(): number {
    return this.#bytes;
  }

  /** @throws {@link StoreError} `full` where the claim exceeds a bound; what is held stays as it is. */
  put(scope: Scope, handle: string, claim: Claim, ttlSeconds: number): void {
    const now = this.#now();
    const promised = expiryOf(now, ttlSeconds);
    const pages = [...claim.pages];
    const bytes = CLAIM_BYTES + [claim.manifest, ...pages].reduce((sum, text) => sum + utf8Bytes(text), 0);
    this.#sweep(now, SWEPT_PER_PUT);
    let refusal = this.#refusal(scope, handle, bytes);
    if (refusal !== undefined) {
      this.#sweepAll(now);
      refusal = this.#refusal(scope, handle, bytes);
    }
    if (refusal !== undefined) throw new StoreError('full', refusal);
    const held = this.#held(scope, handle);
    if (held) this.#remove(held);
    const expiry = Math.max(promised, held?.expiry ?? promised);
    const { tenant, run } = scope;
    this.#insert({ tenant, run, handle, manifest: claim.manifest, pages, bytes, expiry });
  }

  /** @throws {@link StoreError} `not-found` where no live claim is held. */
  fetch(scope: Scope, handle: string, first: number, count: number): Claim {
    const held = this.#held(scope, handle);
    if (!held || held.expiry <= this.#now()) {
      throw new StoreError('not-found', 'no live claim is held under this handle in this scope');
    }
    return { manifest: held.manifest, pages: held.pages.slice(first, first + count) };
  }

  forget(what: Erasure): number {
    const { tenant, run } = erased(what);
    const now = this.#now();
    const runs = this.#tenants.get(tenant)?.runs;
    const meant = run === undefined ? [...(runs?.values() ?? [])] : [runs?.get(run) ?? new Map<string, Held>()];
    let live = 0;
    for (const held of meant.flatMap((claims) => [...claims.values()])) {
      this.#remove(held);
      if (held.expiry > now) live += 1;
    }
    return live;
  }

  #held(scope: Scope, handle: string): Held | undefined {
    return this.#tenants.get(scope.tenant)?.runs.get(scope.run)?.get(handle);
  }

  /** Why a claim of so many bytes does not fit in place of the one under its key. */
  #refusal(scope: Scope, handle: string, bytes: number): string | undefined {
    const freed = this.#held(scope, handle)?.bytes ?? 0;
    const ofTenant = this.#tenants.get(scope.tenant)?.bytes ?? 0;
    if (ofTenant - freed + bytes > this.#tenantBytes)
      return fullMessage(bytes, 'a tenant', this.#tenantBytes, ofTenant);
    if (this.#bytes - freed + bytes > this.#totalBytes)
      return fullMessage(bytes, 'the store', this.#totalBytes, this.#bytes);
    return undefined;
  }

  #insert(held: Held): void {
    const tenant = this.#tenants.get(held.tenant) ?? { bytes: 0, runs: new Map() };
    const run = tenant.runs.get(held.run) ?? new Map<string, Held>();
    this.#tenants.set(held.tenant, tenant);
    tenant.runs.set(held.run, run);
    run.set(held.handle, held);
    tenant.bytes += held.bytes;
    this.#bytes += held.bytes;
    this.#all.add(held);
    this.#quietUntil = Math.min(this.#quietUntil, held.expiry);
  }

  #remove(held: Held): void {
    const tenant = this.#tenants.get(held.tenant);
    const run = tenant?.runs.get(held.run);
    if (!tenant || !run?.delete(held.handle)) return;
    this.#all.delete(held);
    tenant.bytes -= held.bytes;
    this.#bytes -= held.bytes;
    if (run.size === 0) tenant.runs.delete(held.run);
    if (tenant.runs.size === 0) this.#tenants.delete(held.tenant);
  }

  /**
   * Looks at the next few claims. Those that live go to the end: an iterator kept between two sweeps would say where
   * the last one stopped, too, but V8 keeps every hash table that such an iterator has outlived, and what is in it.
   */
  #sweep(now: number, most: number): void {
    if (now < this.#quietUntil) return;
    let left = Math.min(most, this.#all.size);
    for (const held of this.#all) {
      if (left === 0) return;
      left -= 1;
      if (held.expiry <= now) {
        this.#remove(held);
      } else {
        this.#all.delete(held);
        this.#all.add(held);
      }
    }
  }

  #sweepAll(now: number): void {
    if (now < this.#quietUntil) return;
    this.#quietUntil = Infinity;
    for (const held of this.#all) {
      if (held.expiry <= now) this.#remove(held);
      else this.#quietUntil = Math.min(this.#quietUntil, held.expiry);
    }
  }
}

interface Held {
  readonly tenant: string;
  readonly run: string;
  readonly handle: string;
  readonly manifest: string;
  readonly pages: readonly string[];
  readonly bytes: number;
  readonly expiry: number;
}

interface Tenant {
  bytes: number;
  readonly runs: Map<string, Map<string, Held>>;
}

const encoder = new TextEncoder();

function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
