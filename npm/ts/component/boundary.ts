import { count, text } from '../arguments.ts';
import { errorOf } from './errors.ts';
import { Instances } from './instance.ts';

// Neither function touches a store.
const nowhere = (): never => {
  throw new TypeError('there is no store here');
};
const instances = new Instances({ put: nowhere, fetch: nowhere, forget: nowhere });

/**
 * The text with turn markers, terminal escapes, invisible and bidirectional controls and forged notices made harmless;
 * the same string where it is clean already. Twice is once.
 *
 * @throws ClaimCheckError `invalid-argument` where it is no string, `not-well-formed` where it has a lone surrogate.
 */
export function neutralise(content: string): string {
  const given = text(content, 'content');
  return instances.answerOf(({ boundary }) => boundary.neutralise(given), errorOf) ?? given;
}

/**
 * The head of the text and a line that says that the rest was not kept, together at most `maxChars` characters
 * (Unicode scalar values), or that line alone where it does not fit; the same string where it fits whole.
 *
 * @throws ClaimCheckError `invalid-argument` where the content is no string or the number is not whole, negative or
 * over 4,294,967,295; `not-well-formed` where the content has a lone surrogate.
 */
export function truncate(content: string, maxChars: number): string {
  const [given, most] = [text(content, 'content'), count(maxChars, 'maxChars')];
  return instances.answerOf(({ boundary }) => boundary.truncate(given, most), errorOf) ?? given;
}
