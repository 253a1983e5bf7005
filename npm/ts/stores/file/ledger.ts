import { basename } from 'node:path';

import { StoreError } from '../../store.ts';
import { type Bounds, fullMessage } from '../bounds.ts';
import { type Swept, sweepStore, sweepTenant } from './sweep.ts';

/**
 * Between two measurements this process may use so much of the room that was left. Eight processes can then not
 * exceed a bound together, though none sees what the others put in between.
 */
const SHARE = 1 / 8;

interface Account {
  /** What was free when it was last measured. */
  room: number;
  /** Of all that this process has put, what had been put by then. */
  put: number;
}

/**
 * Holds tenants to the bounds. There is no book to keep true between processes: what is held is what lies in the
 * folder, and is counted again, by the files' names, when this process has used its share of the room.
 */
export class Ledger {
  readonly #root: string;
  readonly #bounds: Bounds;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  readonly #put = new Map<string, number>();

  constructor(root: string, bounds: Bounds, now: () => number) {
    this.#root = root;
    this.#bounds = bounds;
    this.#now = now;
  }

  /**
   * Admits a claim whose temporary file stands already, as a reservation that others count.
   *
   * @throws StoreError `full` where it exceeds a bound and all that had expired is swept.
   */
  async admit(tenant: string, bytes: number): Promise<void> {
    const { tenantBytes, totalBytes } = this.#bounds;
    await this.#hold(basename(tenant), 'a tenant', bytes, tenantBytes, () => sweepTenant(tenant, this.#now));
    await this.#hold('', 'the store', bytes, totalBytes, () => sweepStore(this.#root, this.#now));
  }

  async #hold(
    name: string,
    whose: 'a tenant' | 'the store',
    bytes: number,
    bound: number,
    sweep: () => AsyncIterable<Swept>,
  ): Promise<void> {
    if (bound === Infinity) return;
    const put = (this.#put.get(name) ?? 0) + bytes;
    this.#put.set(name, put);
    const account = this.#accounts.get(name);
    if (account && put - account.put <= account.room * SHARE) return;
    let held = 0;
    for await (const swept of sweep()) held += swept.bytes;
    if (held > bound) throw new StoreError('full', fullMessage(bytes, whose, bound, held - bytes));
    this.#accounts.set(name, { room: bound - held, put });
    // Tenants come and go; one that is measured again for nothing costs little.
    if (this.#accounts.size > 10_000) this.#reset();
  }

  #reset(): void {
    this.#accounts.clear();
    this.#put.clear();
  }
}
