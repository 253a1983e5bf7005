import { count, text } from './arguments.ts';
import { core } from './core.ts';

/**
 * The text with turn markers, terminal escapes, invisible and bidirectional controls and forged notices made harmless;
 * the same string where it is clean already. Twice is once. Needs no store.
 *
 * @throws ClaimCheckError `invalid-argument` where it is no string, `not-well-formed` where it has a lone surrogate.
 */
export function neutralise(content: string): string {
  return core().neutralise(text(content, 'content')) ?? content;
}

/**
 * The head of the text and a line that says that the rest was not kept, together at most `maxChars` characters
 * (Unicode scalar values), or that line alone where it does not fit; the same string where it fits whole.
 *
 * @throws ClaimCheckError `invalid-argument` where the content is no string or the number is not whole, negative or
 * over 4,294,967,295; `not-well-formed` where the content has a lone surrogate.
 */
export function truncate(content: string, maxChars: number): string {
  return core().truncate(text(content, 'content'), count(maxChars, 'maxChars')) ?? content;
}
