// What a case has to look like, and what it says when it fails.

import { isContent } from './content.mjs';

/** A case that did not come out as it should, or that this runner does not understand. */
export class Mismatch extends Error {}

const TYPES = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  content: isContent,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
};

/**
 * Holds a case to its fields: `{ name: 'type' }`, `'type?'` where it may be absent, `'type|null'` where it may be null
 * but has to be there. A field that is not named fails the case: it may say what this runner does not test.
 */
export function shaped(value, fields, what = 'the case') {
  if (!TYPES.object(value)) throw new Mismatch(`${what} is no object`);
  for (const name of Object.keys(value)) {
    if (!(name in fields)) throw new Mismatch(`${what} has a field '${name}' that this runner does not know`);
  }
  for (const [name, type] of Object.entries(fields)) {
    const [, base, mark] = /^(\w+)(\?|\|null|\?\|null)?$/.exec(type);
    const given = value[name];
    if (given === undefined ? mark?.startsWith('?') : given === null ? mark?.endsWith('null') : TYPES[base](given)) continue;
    throw new Mismatch(`${what} has no '${name}' of type ${type}`);
  }
  return value;
}

export function same(what, expected, got) {
  const [left, right] = [written(expected), written(got)];
  if (left === right) return;
  let at = 0;
  while (left[at] === right[at]) at++;
  const side = (text) => (at > 40 ? '…' : '') + short(text.slice(Math.max(at - 40, 0)), 160);
  throw new Mismatch(`${what} expected ${side(left)} got ${side(right)}`);
}

/** The error that a call ends in; that it ends in none is a mismatch. */
export async function refusal(call, what) {
  let value;
  try {
    value = await call();
  } catch (error) {
    return error;
  }
  throw new Mismatch(`${what}: expected an error, got ${short(written(value), 160)}`);
}

export function short(text, most) {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} units)`;
}

/** As JSON, the fields in order, and undefined told from null. */
function written(value) {
  const sorted = (_, one) =>
    one === undefined
      ? '(undefined)'
      : TYPES.object(one)
        ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
        : one;
  return JSON.stringify(value, sorted) ?? '(undefined)';
}
