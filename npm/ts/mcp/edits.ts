import type { Items, Span } from './json.ts';

/** What is to stand in place of some bytes of a text. */
export interface Edit extends Span {
  readonly replacement: Uint8Array;
}

/** The text with its edits made; they don't overlap. */
export function applied(json: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const inOrder = [...edits].sort((one, other) => one.start - other.start);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, replacement } of inOrder) {
    parts.push(json.subarray(at, start), replacement);
    at = end;
  }
  parts.push(json.subarray(at));
  return joined(parts);
}

/** Some pieces of text as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const encoder = new TextEncoder();

/** A replacement. */
export function replaced(span: Span, replacement: Uint8Array): Edit {
  return { start: span.start, end: span.end, replacement };
}

/**
 * The edits that take some items out of an object or an array and put others at its end, with as many commas as that
 * leaves. `appended` are elements, or members with their keys.
 */
export function listEdits(
  { start, items }: Items<Span>,
  isRemoved: (index: number) => boolean,
  appended: readonly Uint8Array[],
): Edit[] {
  const last = items.findLastIndex((_, index) => !isRemoved(index));
  const edits: Edit[] = [];
  for (let index = 0; index < last; index += 1) {
    if (isRemoved(index)) {
      edits.push({ start: items[index]!.start, end: items[index + 1]!.start, replacement: new Uint8Array() });
    }
  }
  if (last === items.length - 1 && appended.length === 0) return edits;
  const parts = appended.flatMap((item, index) => (index === 0 && last < 0 ? [item] : [encoder.encode(','), item]));
  const from = last < 0 ? start : items[last]!.end;
  edits.push({ start: from, end: items.at(-1)?.end ?? start, replacement: joined(parts) });
  return edits;
}
