// A call of a redeeming tool: its arguments on the way in, its reply on the way out.

import { isWellFormed } from './arguments.ts';
import type { Reply } from './outcome.ts';

/** The arguments as JSON text. What is none stays none, and is refused by the rules in their own words. */
export function argumentsJson(args: unknown): string {
  if (typeof args === 'string') return isWellFormed(args) ? args : '';
  try {
    return JSON.stringify(args) ?? '';
  } catch {
    return '';
  }
}

/** A reply, and what the model reads of it where only one text can be carried. */
export function reply(text: string, note: string): Reply {
  return { refused: false, text, note, rendered: text === '' ? note : `${text}\n\n${note}` };
}
