import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';

import type { Seal } from '../seal.ts';
import { createPrivate, readPrivate } from './private-file.ts';

/** The seal of this user's proxies: an HMAC with a key that lies in the data folder. */
export class UserSeal implements Seal {
  readonly #path: string;
  readonly #makesKey: boolean;
  #key: string | undefined;

  /** @param makesKey Whether a key is made where there is none: not where nothing is to be kept. */
  constructor(folder: string, makesKey: boolean) {
    this.#path = join(folder, 'seal');
    this.#makesKey = makesKey;
  }

  of(texts: readonly string[]): string | undefined {
    try {
      const made = (): string => createPrivate(this.#path, randomBytes(32).toString('hex'));
      this.#key ??= this.#makesKey ? made() : readPrivate(this.#path);
    } catch {
      // No seal: another proxy then takes the text for any server's.
    }
    if (this.#key === undefined) return undefined;
    return this.#sealed(texts).toString('hex');
  }

  isValid(seal: string, texts: readonly string[]): boolean {
    try {
      this.#key ??= readPrivate(this.#path);
    } catch {
      return false;
    }
    if (this.#key === undefined || !/^[0-9a-f]{64}$/.test(seal)) return false;
    return timingSafeEqual(Buffer.from(seal, 'hex'), this.#sealed(texts));
  }

  #sealed(texts: readonly string[]): Buffer {
    return createHmac('sha256', this.#key!).update(JSON.stringify(texts)).digest();
  }
}
