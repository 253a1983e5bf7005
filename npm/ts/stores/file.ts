import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import type { Erasure, Scope } from '../scope.ts';
import { type Claim, type ClaimStore, StoreError } from '../store.ts';
import { type Bounds, checkedBounds } from './bounds.ts';
import { erased } from './erasure.ts';
import { expiryOf } from './expiry.ts';
import { persist } from './file/attempts.ts';
import { codeOf, isMissing, names, removeFolder, syncFolders, withFile } from './file/disk.ts';
import { storeError } from './file/errors.ts';
import { openFolder } from './file/folder.ts';
import { Damage, decode, encode } from './file/format.ts';
import { Ledger } from './file/ledger.ts';
import { goneName, goneSince, placeOf, runFolder, tenantFolder } from './file/names.ts';
import { erase, liveVersions, type Swept, sweepStore } from './file/sweep.ts';
import { Writer } from './file/writer.ts';

/** How many claims one put looks at for expired ones. It adds one, so the sweep overtakes. */
const SWEPT_PER_PUT = 4;

/** What a {@link FileStore} may hold, what it promises, and what time it is. */
export interface FileStoreOptions {
  /** What one tenant may hold: bytes in blocks of 4096, and a block for every claim. 1 GiB unless given. */
  readonly tenantBytes?: number;
  /** What all tenants may hold together, counted alike. 16 GiB unless given. */
  readonly totalBytes?: number;
  /**
   * Whether `put` and `forget` return only when the disk has it (`fsync`); true unless given. Without it, calls are
   * faster, a process may still crash at any moment, and only a power failure can lose or damage recent claims.
   */
  readonly durable?: boolean;
  /** The time in milliseconds; `Date.now` unless given. Processes that share a folder need the same clock. */
  readonly now?: () => number;
}

/**
 * A store in a folder of this machine, for Node: claims outlive the process, and several processes may share them.
 *
 * - **All or nothing**: a claim is written under a temporary name, synced, and renamed. A crash at any moment leaves
 *   it whole or not there.
 * - **Durable** when `put` or `forget` returns ({@link FileStoreOptions.durable}), as far as the disk keeps its word.
 * - **Shared**: any number of processes may use one folder at once, without locks, so one that is killed blocks nobody.
 *   The folder has to be on a local POSIX file system, where a rename is atomic; network file systems and Windows
 *   are not tested.
 * - **Bounded**, per tenant and in all: `full` beyond. Up to eight processes together keep the bounds; more may exceed
 *   them by a part. The first put of a process lists the whole folder to know what is held.
 * - **Forgetful**: when `forget` returns, no file of what it covers is left, those of writers that crashed included.
 *   Blocks that the file system has freed are not overwritten: encrypt the disk. Expired claims are swept a few with
 *   every put, and all before a put is refused; {@link sweep} does it at once. No timer is set.
 * - **Checked**: every part carries a checksum. A damaged file is answered as `failed`, on which the model is told to
 *   run the tool again, and that put makes it whole.
 * - **Private**: the folder has mode 0700 (an existing one is narrowed), files have 0600, and names are hashes. A
 *   folder that holds anything else is refused and left as it is. The content is not encrypted.
 *
 * A window reads the claim's head and its own pages, whatever the claim's size. Time is the wall clock's: set back, it
 * lets claims live longer by as much.
 */
export class FileStore implements ClaimStore {
  readonly #root: string;
  readonly #durable: boolean;
  readonly #now: () => number;
  readonly #writer: Writer;
  #forgetting: Promise<void> = Promise.resolve();
  #sweeping: AsyncGenerator<Swept> | undefined;
  #isSweeping = false;

  private constructor(root: string, bounds: Bounds, durable: boolean, now: () => number) {
    this.#root = root;
    this.#durable = durable;
    this.#now = now;
    this.#writer = new Writer(root, new Ledger(root, bounds, now), durable, now);
  }

  /**
   * Opens the store in a folder, which is made where it is not there, and erases what a forget that crashed left.
   *
   * @param folder A path; a relative one starts at the working folder of now.
   * @throws {@link StoreError} `failed` where the folder holds anything but a store of this version, or can't be used.
   * @throws RangeError where a bound is not a number above 0.
   */
  static async open(folder: string, options: FileStoreOptions = {}): Promise<FileStore> {
    const { tenantBytes = 2 ** 30, totalBytes = 16 * 2 ** 30, durable = true, now = Date.now } = options;
    const bounds = checkedBounds({ tenantBytes, totalBytes });
    try {
      const store = new FileStore(await openFolder(folder), bounds, durable, now);
      await store.#eraseGone();
      return store;
    } catch (error) {
      throw storeError(folder, error);
    }
  }

  /**
   * @throws {@link StoreError} `full` where a bound or the disk is reached and nothing has expired; `unavailable` where
   * the system is out of something (files, memory); `failed` otherwise. Nothing has been kept then.
   */
  async put(scope: Scope, handle: string, claim: Claim, ttlSeconds: number): Promise<void> {
    await this.#guarded(async () => {
      const expiry = expiryOf(this.#now(), ttlSeconds);
      const place = placeOf(this.#root, scope, handle);
      const encoded = encode(place.key, claim);
      try {
        await this.#writer.put(place, encoded, expiry);
      } catch (error) {
        if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')) throw error;
        await this.sweep();
        await this.#writer.put(place, encoded, expiry);
      }
    });
    await this.#sweepSome();
  }

  /** @throws {@link StoreError} `not-found` where no live claim is held; `failed` where its file is damaged. */
  async fetch(scope: Scope, handle: string, first: number, count: number): Promise<Claim> {
    const place = placeOf(this.#root, scope, handle);
    return this.#guarded(() =>
      persist(this.#root, async () => {
        let damage: Damage | undefined;
        const versions = await liveVersions(place.claim, this.#now());
        for (const version of versions) {
          try {
            return await withFile(join(place.claim, version.name), 'r', (file) =>
              decode(file, place.key, first, count),
            );
          } catch (error) {
            // There is a second one only while the first is being replaced.
            if (!(error instanceof Damage)) throw error;
            damage ??= error;
          }
        }
        throw damage ?? new StoreError('not-found', 'no live claim is held under this handle in this scope');
      }),
    );
  }

  async forget(what: Erasure): Promise<number> {
    // One after the other: each erases what it finds moved away, and must not take it from another's count.
    const forgetting = this.#forgetting.then(() => this.#guarded(() => this.#forgetNow(what)));
    this.#forgetting = forgetting.then(nothing, nothing);
    return forgetting;
  }

  /** Removes every claim that has expired, and says how many there were. Worth a call where puts are rare. */
  async sweep(): Promise<number> {
    return this.#guarded(async () => {
      let expired = 0;
      for await (const swept of sweepStore(this.#root, this.#now)) expired += swept.expired;
      return expired;
    });
  }

  async #forgetNow(what: Erasure): Promise<number> {
    const { tenant, run } = erased(what);
    const ofTenant = tenantFolder(this.#root, tenant);
    const meant = run === undefined ? ofTenant : runFolder(this.#root, { tenant, run });
    const gone = join(this.#root, goneName());
    let live = 0;
    try {
      // One step for all that is meant: no writer sees half of it gone.
      await rename(meant, gone);
      live = await erase(gone, this.#now());
      await removeFolder(ofTenant);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    // Another process may be about to erase the same, or have crashed on the way.
    await this.#eraseGone();
    if (this.#durable) await syncFolders(ofTenant, this.#root);
    return live;
  }

  async #guarded<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw storeError(this.#root, error);
    }
  }

  async #eraseGone(): Promise<void> {
    for (const name of (await names(this.#root)).filter((name) => goneSince(name) !== undefined))
      await erase(join(this.#root, name), this.#now());
  }

  /** A few claims further, from where the last put stopped; one put at a time. */
  async #sweepSome(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      for (let looked = 0; looked < SWEPT_PER_PUT; looked += 1) {
        this.#sweeping ??= sweepStore(this.#root, this.#now);
        if ((await this.#sweeping.next()).done) {
          this.#sweeping = undefined;
          return;
        }
      }
    } catch {
      // The claim has been kept; what stands in the way of sweeping, the next put that needs room reports.
      this.#sweeping = undefined;
    } finally {
      this.#isSweeping = false;
    }
  }
}

function nothing(): void {}
