// What is kept of a configured server between sessions.

import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { createPrivate, readPrivate, writePrivate } from './private-file.ts';

/** Told of a file that can't be used, and why. */
export type Warn = (message: string) => void;

interface Kept {
  readonly run: string;
  /** What stands before the redeeming tools' names, so that they collide with none of the server's. */
  readonly prefix: string;
}

/**
 * A configured server's run and tool names. A server is its command line and the folder that it is started in; only a
 * hash of them is written, for a command line may hold a key. The run is random, made once, and kept: a client that is
 * started again still redeems its handles.
 */
export class ServerState {
  readonly #path: string;
  readonly #isNewRun: boolean;
  readonly #warn: Warn;
  #prefix: string | undefined;
  #run: string | undefined;

  constructor(folder: string, command: readonly string[], isNewRun: boolean, warn: Warn) {
    const server = createHash('sha256').update(JSON.stringify([process.cwd(), ...command]));
    this.#path = join(folder, 'servers', `${server.digest('hex').slice(0, 32)}.json`);
    this.#isNewRun = isNewRun;
    this.#warn = warn;
  }

  /** What stands before the redeeming tools' names. Reads, and writes nothing. */
  get prefix(): string {
    this.#prefix ??= this.#guarded(() => parsed(readPrivate(this.#path)))?.prefix ?? '';
    return this.#prefix;
  }

  set prefix(prefix: string) {
    const { run } = this;
    this.#prefix = prefix;
    this.#guarded(() => writePrivate(this.#path, JSON.stringify({ run, prefix })));
  }

  /** The run, made where there is none yet. */
  get run(): string {
    this.#run ??= this.#guarded(() => this.#kept()) ?? randomUUID();
    return this.#run;
  }

  #kept(): string {
    const made: Kept = { run: randomUUID(), prefix: this.prefix };
    const json = JSON.stringify(made);
    const found = this.#isNewRun ? undefined : parsed(createPrivate(this.#path, json));
    if (found !== undefined) return found.run;
    writePrivate(this.#path, json);
    return made.run;
  }

  #guarded<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error);
      this.#warn(
        `${this.#path} can't be used (${why}), so handles end with this session: make it readable and writable, or ` +
          'name another folder with --data',
      );
      return undefined;
    }
  }
}

function parsed(json: string | undefined): Kept | undefined {
  try {
    const { run, prefix } = JSON.parse(json ?? '') as Partial<Kept>;
    return typeof run === 'string' && run.length >= 16 && typeof prefix === 'string' ? { run, prefix } : undefined;
  } catch {
    return undefined;
  }
}
