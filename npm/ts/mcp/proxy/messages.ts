import {
  elements,
  type Items,
  kindOf,
  type Member,
  members,
  NotJson,
  parse,
  root,
  type Span,
  stringOf,
  textOf,
  valueOf,
} from '../json.ts';

/** One JSON-RPC message in a line. */
export interface Message {
  readonly span: Span;
  /** Where its id stands; none of a notification. */
  readonly id: Span | undefined;
  /** None of a response. */
  readonly method: string | undefined;
  readonly params: Span | undefined;
  /** None of a request, a notification or an error. */
  readonly result: Span | undefined;
}

/** What a line holds: one message, or several as a batch. */
export interface Line {
  readonly messages: readonly Message[];
  /** Of a batch, its elements. */
  readonly batch: Items<Span> | undefined;
}

/** The messages in a line; none where it is not JSON, or none of JSON-RPC. */
export function messagesOf(line: Uint8Array): Line | undefined {
  try {
    const whole = root(line);
    const batch = kindOf(line, whole) === 'array' ? elements(line, whole) : undefined;
    return { batch, messages: (batch?.items ?? [whole]).map((span) => message(line, span)) };
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

function message(line: Uint8Array, span: Span): Message {
  const fields: Items<Member> = members(line, span);
  const method = stringOf(line, fields, 'method');
  return {
    span,
    id: valueOf(fields, 'id'),
    method,
    params: valueOf(fields, 'params'),
    result: method === undefined ? valueOf(fields, 'result') : undefined,
  };
}

/** An id as a key: "1" and 1 are two ids, and a number is one however it is written. */
export function idKey(json: Uint8Array, id: Span): string {
  if (kindOf(json, id) === 'string') return `"${parse(json, id)}`;
  const text = textOf(json, id);
  const number = Number(text);
  return Number.isNaN(number) ? text : String(number);
}
