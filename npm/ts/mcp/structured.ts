// Whether structured content says again what the text says.

import { kindOf, members, parse, type Span } from './json.ts';

/** Beyond so many bytes of JSON only equal bytes are compared: to parse it would take several times the memory. */
const MAX_PARSED_BYTES = 64 * 2 ** 20;

/** The parts of a result that can say the same twice. */
export interface Content {
  /** The JSON strings of its texts. */
  readonly texts: readonly Span[];
  /** The whole array of content blocks. */
  readonly blocks: Span | undefined;
}

/**
 * Whether structured content is the text's value, or an object whose one member is: the text as a string, what the
 * text is the JSON of, a list with a value for each text, or the content blocks themselves.
 */
export function saysTheSame(json: Uint8Array, structured: Span, { texts, blocks }: Content): boolean {
  const only = kindOf(json, structured) === 'object' ? members(json, structured).items : [];
  const [first] = texts;
  if (texts.length === 1 && only.length === 1 && isSameBytes(json, only[0]!.value, first!)) return true;
  if (structured.end - structured.start > MAX_PARSED_BYTES) return false;

  const values = [parse(json, structured)];
  if (only.length === 1) values.push(parse(json, only[0]!.value));
  const said = texts.map((text) => parse(json, text) as string);
  return values.some(
    (value) =>
      (said.length === 1 && isSaidBy(value, said[0]!)) ||
      (said.length > 1 &&
        Array.isArray(value) &&
        value.length === said.length &&
        value.every((one, index) => isSaidBy(one, said[index]!))) ||
      (blocks !== undefined && Array.isArray(value) && value.length > 0 && isEqual(value, parse(json, blocks))),
  );
}

function isSaidBy(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text;
  try {
    return isEqual(value, JSON.parse(text));
  } catch {
    return false;
  }
}

function isSameBytes(json: Uint8Array, one: Span, other: Span): boolean {
  if (one.end - one.start !== other.end - other.start) return false;
  for (let at = one.start, beside = other.start; at < one.end; at += 1, beside += 1) {
    if (json[at] !== json[beside]) return false;
  }
  return true;
}

/** Whether two JSON values are equal; the order of members does not count. */
function isEqual(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pairs.push([(left as never)[key], (right as never)[key]]);
    }
  }
  return true;
}
