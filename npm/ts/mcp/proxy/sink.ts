import type { Writable } from 'node:stream';

/** Where lines are written, one after the other, no faster than they are read. */
export class Sink {
  readonly #stream: Writable;
  /** Resolves when nobody reads any more. */
  readonly closed: Promise<void>;
  #isClosed = false;
  #wake: (() => void)[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => {
      const close = (): void => {
        this.#isClosed = true;
        this.#awake();
        resolve();
      };
      // EPIPE, mostly: there is nobody to tell.
      stream.on('error', close);
      stream.on('close', close);
    });
    stream.on('drain', () => this.#awake());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when there is room for more. What nobody reads is dropped. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed || bytes.length === 0) return;
    if (this.#stream.write(bytes)) return;
    await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  /** Resolves when all that was written has been taken, or nobody reads any more. */
  async flushed(): Promise<void> {
    if (this.#isClosed || this.#stream.writableLength === 0) return;
    await Promise.race([this.closed, new Promise<void>((resolve) => this.#stream.write('', () => resolve()))]);
  }

  #awake(): void {
    for (const resolve of this.#wake.splice(0)) resolve();
  }
}
