// Which requests of the client are not answered yet, so that an answer can be told by what was asked.

/** What was asked. */
export interface Asked {
  readonly method: string;
  /** The tool whose result is the answer; none where it is no result of a tool. */
  readonly tool: string | undefined;
}

/** How many cancelled requests, and how many tasks, are remembered: their answers may never come. */
const MAX_REMEMBERED = 1024;

/** The requests under way. An id may be in use twice, which a client must not do, and which must not hurt. */
export class Pending {
  readonly #asked = new Map<string, Asked[]>();
  readonly #cancelled = new Set<string>();
  readonly #tasks = new Map<string, string>();
  #size = 0;

  add(key: string, asked: Asked): void {
    const others = this.#asked.get(key);
    if (others === undefined) this.#asked.set(key, [asked]);
    else others.push(asked);
    this.#size += 1;
  }

  /** What an answer belongs to: of several requests with its id the first that it fits, or just the first. */
  take(key: string, fits: (asked: Asked) => boolean): Asked | undefined {
    const all = this.#asked.get(key);
    if (all === undefined) return undefined;
    const [asked] = all.splice(Math.max(0, all.findIndex(fits)), 1);
    if (all.length === 0) {
      this.#asked.delete(key);
      this.#cancelled.delete(key);
    }
    this.#size -= 1;
    return asked;
  }

  /** A cancelled request may be answered all the same, or never. */
  cancel(key: string): void {
    if (!this.#asked.has(key)) return;
    this.#cancelled.add(key);
    if (this.#cancelled.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#cancelled;
    this.#cancelled.delete(oldest!);
    this.#size -= this.#asked.get(oldest!)?.length ?? 0;
    this.#asked.delete(oldest!);
  }

  /** Whether any request is waited for. */
  get isWaiting(): boolean {
    let cancelled = 0;
    for (const key of this.#cancelled) cancelled += this.#asked.get(key)?.length ?? 0;
    return this.#size > cancelled;
  }

  /** Which tool a task runs, for when its result is asked for. */
  setTask(task: string, tool: string): void {
    this.#tasks.delete(task);
    this.#tasks.set(task, tool);
    if (this.#tasks.size > MAX_REMEMBERED) this.#tasks.delete(this.#tasks.keys().next().value!);
  }

  toolOf(task: string): string | undefined {
    return this.#tasks.get(task);
  }
}
