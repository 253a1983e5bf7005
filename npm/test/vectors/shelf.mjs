// A store that keeps, counts and lies as a vector tells it to.

import { StoreError } from 'claim-check';
import { claimOf, handleOf } from './content.mjs';

export class Shelf {
  #claims = new Map();
  #calls = [];
  /** Answered to every fetch in place of what is kept, where it is there. */
  lie;

  /** Puts a content of any size where a check-in would, and returns its handle. */
  place(scope, content) {
    const claim = claimOf(content);
    const handle = handleOf(scope, claim);
    this.#claims.set(key(scope, handle), claim);
    return handle;
  }

  put(scope, handle, claim, ttlSeconds) {
    this.#calls.push({ call: 'put', scope, handle, claim, ttlSeconds });
    this.#claims.set(key(scope, handle), claim);
  }

  /** Answers with a promise, or throws in one. */
  async fetch(scope, handle, first, count) {
    return this.look(scope, handle, first, count);
  }

  look(scope, handle, first, count) {
    this.#calls.push({ call: 'fetch', scope, handle, first, count });
    if (this.lie !== undefined) return this.lie;
    const claim = this.#claims.get(key(scope, handle));
    if (claim === undefined) throw new StoreError('not-found', 'no such claim');
    return { manifest: claim.manifest, pages: claim.pages.slice(first, first + count) };
  }

  forget(what) {
    this.#calls.push({ call: 'forget', what });
    return 0;
  }

  takeCalls() {
    return this.#calls.splice(0);
  }
}

function key({ tenant, run }, handle) {
  return JSON.stringify([tenant, run, handle]);
}
