import type { Carrier } from '../carrier.ts';
import type { Desk } from './desk.ts';
import type { Report } from './report.ts';

/** Cuts results to a size, and keeps nothing: there is no store, and no tool to redeem with. */
export class CutDesk implements Desk {
  readonly tools: ReadonlySet<string> = new Set();
  readonly #maxChars: number;
  readonly #neutralises: boolean;
  readonly #report: Report;

  constructor(maxChars: number, neutralises: boolean, report: Report) {
    this.#maxChars = maxChars;
    this.#neutralises = neutralises;
    this.#report = report;
  }

  async definitions(): Promise<readonly object[]> {
    return [];
  }

  async carrier(tool: string): Promise<Carrier> {
    const { neutralise, truncate } = await import('../../entry.default.ts');
    const harmless = (text: string): string => (this.#neutralises ? neutralise(text) : text);
    return {
      harmless,
      carry: async (text) => {
        const whole = harmless(text);
        const cut = truncate(whole, this.#maxChars);
        if (cut === whole) return { text: whole, isWhole: true };
        this.#report.cut(tool, characters(whole) - characters(cut), `over the ${this.#maxChars} of --max-chars`);
        return { text: cut, isWhole: false };
      },
    };
  }

  answer(): never {
    throw new Error('there is no redeeming tool without a store');
  }

  avoid(): void {}
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
