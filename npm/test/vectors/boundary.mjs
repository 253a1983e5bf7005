// What is made harmless, what is cut, and what is left alone. The package gives a clean text back, the vectors say null.

import { same, shaped } from './check.mjs';
import { textOf } from './content.mjs';

export function neutralise(subject, value) {
  const { text: spelled, result } = shaped(value, { text: 'content', result: 'string|null' });
  const text = textOf(spelled);
  const harmless = subject.neutralise(text);
  same('result', result ?? text, harmless);
  same('the text is clean', result === null, harmless === text);
  same('result of the result', harmless, subject.neutralise(harmless));
}

export function truncate(subject, value) {
  const fields = { content: 'content', max_chars: 'integer', result: 'string|null' };
  const { content, max_chars, result } = shaped(value, fields);
  const text = textOf(content);
  same('result', result ?? text, subject.truncate(text, max_chars));
}
