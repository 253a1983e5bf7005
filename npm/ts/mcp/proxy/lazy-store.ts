import { existsSync } from 'node:fs';

import type { Erasure, Scope } from '../../scope.ts';
import type { Claim, ClaimStore } from '../../store.ts';

/**
 * A store in a folder that is opened at the first call: clients start a server only to look at it, and nothing is to
 * be left of that. It is opened again where somebody deleted the folder under it.
 */
export class LazyStore implements ClaimStore {
  readonly #folder: string;
  #opening: Promise<ClaimStore> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(scope: Scope, handle: string, claim: Claim, ttlSeconds: number): Promise<void> {
    return this.#with((store) => store.put(scope, handle, claim, ttlSeconds));
  }

  fetch(scope: Scope, handle: string, first: number, count: number): Promise<Claim> {
    return this.#with((store) => store.fetch(scope, handle, first, count));
  }

  forget(what: Erasure): Promise<number> {
    return this.#with((store) => store.forget(what));
  }

  async #with<T>(call: (store: ClaimStore) => T | Promise<T>): Promise<T> {
    const opening = (this.#opening ??= this.#open());
    try {
      return await call(await opening);
    } catch (error) {
      if (existsSync(this.#folder)) throw error;
      if (this.#opening === opening) this.#opening = this.#open();
      return call(await this.#opening!);
    }
  }

  #open(): Promise<ClaimStore> {
    const opening = import('../../stores/file.ts').then(({ FileStore }) => FileStore.open(this.#folder));
    opening.catch(() => {
      // The next call tries again.
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }
}
