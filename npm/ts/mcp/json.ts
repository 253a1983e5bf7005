// Where things stand in JSON text.
//
// A message is never parsed and written again: numbers such as 1.0 or 12345678901234567890 would come out as other
// numbers, and a peer could not be sure of a single byte. Places are found in the bytes as they came, and only what
// has to change is replaced there. Only well-formed JSON is placed right; whatever else comes, no call runs past the
// end or for ever.

/** A value in JSON text: from its first byte to the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: from the key's first byte to the value's end. */
export interface Member extends Span {
  readonly key: string;
  readonly value: Span;
}

/** The items of an object or an array, and where the first would stand if there were none. */
export interface Items<Item extends Span> {
  readonly start: number;
  readonly items: readonly Item[];
}

/** Thrown where the text is not JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** What kind of value stands there, judged by its first byte. */
export function kindOf(json: Uint8Array, value: Span): 'object' | 'array' | 'string' | 'other' {
  switch (json[value.start]) {
    case OPEN_OBJECT:
      return 'object';
    case OPEN_ARRAY:
      return 'array';
    case QUOTE:
      return 'string';
    default:
      return 'other';
  }
}

/** The one value that a text consists of. */
export function root(json: Uint8Array): Span {
  const start = afterSpace(json, 0);
  const end = valueEnd(json, start);
  if (afterSpace(json, end) !== json.length) throw new NotJson();
  return { start, end };
}

/** The members of the object there; none where it is no object. */
export function members(json: Uint8Array, object: Span): Items<Member> {
  return items(json, object, OPEN_OBJECT, CLOSE_OBJECT, (start) => {
    const keyEnd = stringEnd(json, start);
    const colon = afterSpace(json, keyEnd);
    if (json[colon] !== COLON) throw new NotJson();
    const valueStart = afterSpace(json, colon + 1);
    const end = valueEnd(json, valueStart);
    return { start, end, key: parse(json, { start, end: keyEnd }) as string, value: { start: valueStart, end } };
  });
}

/** The elements of the array there; none where it is no array. */
export function elements(json: Uint8Array, array: Span): Items<Span> {
  return items(json, array, OPEN_ARRAY, CLOSE_ARRAY, (start) => ({ start, end: valueEnd(json, start) }));
}

/** The value under a key: of equal keys the last, as every parser takes it. */
export function member(json: Uint8Array, object: Span, key: string): Span | undefined {
  return valueOf(members(json, object), key);
}

/** The value under a key of an object's members. */
export function valueOf(object: Items<Member>, key: string): Span | undefined {
  return object.items.findLast((one) => one.key === key)?.value;
}

/** The string under a key; none where there is none. */
export function stringOf(json: Uint8Array, object: Items<Member>, key: string): string | undefined {
  const value = valueOf(object, key);
  return value !== undefined && kindOf(json, value) === 'string' ? (parse(json, value) as string) : undefined;
}

/** Every string in a value, keys included, in order. */
export function* strings(json: Uint8Array, value: Span): Generator<Span> {
  let start = json.indexOf(QUOTE, value.start);
  while (start >= 0 && start < value.end) {
    const end = stringEnd(json, start);
    yield { start, end };
    start = json.indexOf(QUOTE, end);
  }
}

/** The text of a span, as it stands there. */
export function textOf(json: Uint8Array, span: Span): string {
  return decoder.decode(json.subarray(span.start, span.end));
}

/** The value of a span. */
export function parse(json: Uint8Array, span: Span): unknown {
  try {
    return JSON.parse(textOf(json, span));
  } catch {
    throw new NotJson();
  }
}

/** A value as JSON text. */
export function encoded(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

function items<Item extends Span>(
  json: Uint8Array,
  list: Span,
  open: number,
  close: number,
  read: (start: number) => Item,
): Items<Item> {
  if (json[list.start] !== open) return { start: list.start, items: [] };
  const found: Item[] = [];
  let at = afterSpace(json, list.start + 1);
  while (json[at] !== close) {
    const item = read(at);
    found.push(item);
    at = afterSpace(json, item.end);
    if (json[at] !== COMMA) break;
    at = afterSpace(json, at + 1);
  }
  if (json[at] !== close) throw new NotJson();
  return { start: list.start + 1, items: found };
}

function afterSpace(json: Uint8Array, from: number): number {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at += 1;
  return at;
}

function stringEnd(json: Uint8Array, start: number): number {
  if (json[start] !== QUOTE) throw new NotJson();
  for (let from = start + 1; ;) {
    const quote = json.indexOf(QUOTE, from);
    if (quote < 0) throw new NotJson();
    let before = quote - 1;
    while (json[before] === BACKSLASH && before >= from) before -= 1;
    // An odd number of backslashes: the last one escapes the quote.
    if ((quote - 1 - before) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

function valueEnd(json: Uint8Array, start: number): number {
  const first = json[start];
  if (first === QUOTE) return stringEnd(json, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return scalarEnd(json, start);
  let depth = 0;
  for (let at = start; at < json.length;) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = stringEnd(json, at);
      continue;
    }
    at += 1;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at;
  }
  throw new NotJson();
}

function scalarEnd(json: Uint8Array, start: number): number {
  let at = start;
  for (let byte = json[at]; byte !== undefined; byte = json[++at]) {
    // The letters, digits and signs that null, true, false and numbers are made of.
    const isPart = (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
    if (!isPart && byte !== 0x2b && byte !== 0x2d && byte !== 0x2e) break;
  }
  if (at === start) throw new NotJson();
  return at;
}
