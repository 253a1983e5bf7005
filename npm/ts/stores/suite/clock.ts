/** A clock that stands still until it is advanced. Give `clock.now` to the store under test. */
export class ManualClock {
  #milliseconds: number;

  /** @param milliseconds Where it starts. */
  constructor(milliseconds: number = 1_700_000_000_000) {
    this.#milliseconds = milliseconds;
  }

  /** The time in milliseconds; bound to this clock. */
  readonly now = (): number => this.#milliseconds;

  /** Moves the clock forward. */
  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
