import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';

import type { Seal } from '../seal.ts';
import { createPrivate, readPrivate } from './private-file.ts';

/** The seal of this user's proxies: an HMAC with a key that lies in the data folder. */
export class UserSeal implements Seal {
  readonly #path: string;
  #key: string | undefined;

  constructor(folder: string) {
    this.#path = join(folder, 'seal');
  }

  of(texts: readonly string[]): string | undefined {
    try {
      this.#key ??= createPrivate(this.#path, randomBytes(32).toString('hex'));
    } catch {
      // Without a folder there is no seal: another proxy then takes the text for any server's.
      return undefined;
    }
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
