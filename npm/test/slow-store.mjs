// Stores for the tests: one that takes its time, and ones that fail in every way that JavaScript knows.

import { MemoryStore } from 'claim-check';

/** A store whose every call takes a different while, so that calls overtake each other. */
export class SlowStore {
  #inner = new MemoryStore();
  #calls = 0;
  /** How many calls were under way at once, at most. */
  most = 0;
  #now = 0;

  async #slowly(call) {
    this.most = Math.max(this.most, ++this.#now);
    await new Promise((resolve) => setTimeout(resolve, (this.#calls++ * 7) % 23));
    this.#now--;
    return call();
  }

  put(...args) {
    return this.#slowly(() => this.#inner.put(...args));
  }
  fetch(...args) {
    return this.#slowly(() => this.#inner.fetch(...args));
  }
  forget(...args) {
    return this.#slowly(() => this.#inner.forget(...args));
  }
}

/** A store whose methods do what they are told to, and work otherwise. */
export function storeWith(methods) {
  const inner = new MemoryStore();
  return {
    put: (...args) => inner.put(...args),
    fetch: (...args) => inner.fetch(...args),
    forget: (...args) => inner.forget(...args),
    ...methods,
  };
}
