import { constants } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import { persist } from './attempts.ts';
import { codeOf, holds, makeFolders, removeFile, removeFolder, syncFolders, withFile, write } from './disk.ts';
import { Damage, type Encoded } from './format.ts';
import type { Ledger } from './ledger.ts';
import { type Place, temporaryName, type Version, versionName } from './names.ts';
import { liveVersions, removeLesser, takenBytes } from './sweep.ts';

/**
 * Puts claims so that any number of processes may put the same one at once.
 *
 * A version's name is its expiry, and the greatest counts. Versions are added and made greater by a rename; what is
 * removed is less than one that stands, or has expired. So the greatest never becomes less, in whatever order the
 * steps of several writers fall, and no promise of an expiry is lost.
 */
export class Writer {
  readonly #root: string;
  readonly #ledger: Ledger;
  readonly #durable: boolean;
  readonly #now: () => number;

  constructor(root: string, ledger: Ledger, durable: boolean, now: () => number) {
    this.#root = root;
    this.#ledger = ledger;
    this.#durable = durable;
    this.#now = now;
  }

  /** @param promised The expiry of this put; that of a claim which is held may be later. */
  async put(place: Place, encoded: Encoded, promised: number): Promise<void> {
    await persist(this.#root, async () => {
      const [held] = await liveVersions(place.claim, this.#now());
      const expiry = Math.max(promised, held?.expiry ?? promised);
      const isKept = held !== undefined && (await this.#keeps(place, held, encoded, expiry));
      if (!isKept) await this.#write(place, encoded, expiry, held);
      if (this.#durable) await syncFolders(place.claim, place.run, place.tenant, this.#root);
      await removeLesser(place.claim);
    });
  }

  /** Whether what is held is this content, whole; then it is renamed to the later expiry. */
  async #keeps(place: Place, held: Version, encoded: Encoded, expiry: number): Promise<boolean> {
    const path = join(place.claim, held.name);
    if (!(await this.#isWhole(path, encoded))) return false;
    if (held.expiry < Math.ceil(expiry)) await rename(path, join(place.claim, versionName(expiry, 0, encoded.bytes)));
    return true;
  }

  async #isWhole(path: string, encoded: Encoded): Promise<boolean> {
    try {
      return await withFile(path, 'r', async (file) => {
        const isSame = await holds(file, encoded);
        // Who wrote it may not have been asked to.
        if (isSame && this.#durable) await file.sync();
        return isSame;
      });
    } catch (error) {
      // What can't be read is written anew.
      if (error instanceof Damage || codeOf(error) === 'EIO') return false;
      throw error;
    }
  }

  async #write(place: Place, encoded: Encoded, expiry: number, held: Version | undefined): Promise<void> {
    await makeFolders(place);
    const temporary = join(place.claim, temporaryName(encoded.bytes));
    try {
      await withFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, async (file) => {
        await this.#ledger.admit(place.tenant, takenBytes(encoded.bytes));
        await write(file, encoded);
        if (this.#durable) await file.sync();
      });
      const name = versionName(expiry, held ? held.sequence + 1 : 0, encoded.bytes);
      await rename(temporary, join(place.claim, name));
    } catch (error) {
      await abandon(place, temporary);
      throw error;
    }
  }
}

/** Takes back what was made for a claim that is not kept. Where even that fails, a sweep finds it. */
async function abandon(place: Place, temporary: string): Promise<void> {
  try {
    await removeFile(temporary);
    for (const folder of [place.claim, place.run, place.tenant]) if (!(await removeFolder(folder))) return;
  } catch {
    return;
  }
}
