// The two directions of one session, line by line.

import { applied, type Edit, joined, listEdits } from '../edits.ts';
import { members, NotJson, type Span, stringOf, textOf, valueOf } from '../json.ts';
import { listingEdits, toolPage } from '../listing.ts';
import { replyOf, type ToolReply } from '../reply.ts';
import { resultEdits } from '../result.ts';
import type { Seal } from '../seal.ts';
import type { Desk } from './desk.ts';
import { idKey, type Line, type Message, messagesOf } from './messages.ts';
import { type Asked, Pending } from './pending.ts';
import type { Report } from './report.ts';

/** A request of the revision of 2026-07-28 says so in its `_meta`, and wants to be told that a result is complete. */
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

const NEWLINE = Uint8Array.of(0x0a);

export interface ProxyOptions {
  readonly desk: Desk;
  readonly keepsStructured: boolean;
  readonly seal: Seal;
  readonly report: Report;
}

/** What a line of the client comes to. */
export interface FromClient {
  /** What the server gets: the line itself, what is left of a batch, or nothing. */
  readonly forwarded: Uint8Array | undefined;
  /** What the client gets for the calls that are answered here. */
  readonly answered: Promise<Uint8Array> | undefined;
}

/** Passes messages on, byte for byte, but for tool lists, results of tools, and calls of our own tools. */
export class Proxy {
  readonly #options: ProxyOptions;
  readonly #pending = new Pending();

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  /** Whether an answer of the server is still to come. */
  get isWaiting(): boolean {
    return this.#pending.isWaiting;
  }

  /** A line from the client. */
  fromClient(line: Uint8Array): FromClient {
    const read = messagesOf(line);
    if (read === undefined) return { forwarded: line, answered: undefined };
    try {
      const calls = read.messages.map((message) => this.#ownCall(line, message));
      read.messages.forEach((message, index) => {
        if (calls[index] === undefined) this.#remember(line, message);
      });
      const own = calls.filter((call) => call !== undefined);
      if (own.length === 0) return { forwarded: line, answered: undefined };
      return { forwarded: rest(line, read, (index) => calls[index] !== undefined), answered: answers(own, read) };
    } catch (error) {
      if (error instanceof NotJson) return { forwarded: line, answered: undefined };
      throw error;
    }
  }

  /** A line from the server, as the client gets it. */
  async fromServer(line: Uint8Array): Promise<Uint8Array> {
    const read = messagesOf(line);
    if (read === undefined) return line;
    const edits: Edit[] = [];
    for (const message of read.messages) {
      if (message.method !== undefined || message.id === undefined) continue;
      const { result } = message;
      const asked = this.#pending.take(
        idKey(line, message.id),
        (one) => result !== undefined && fits(line, result, one),
      );
      if (asked === undefined || result === undefined) continue;
      edits.push(...(await this.#answerEdits(line, result, asked, message)));
    }
    return edits.length === 0 ? line : applied(line, edits);
  }

  async #answerEdits(line: Uint8Array, result: Span, asked: Asked, message: Message): Promise<Edit[]> {
    try {
      if (asked.method === 'tools/list') return await this.#listEdits(line, result);
      if (asked.tool !== undefined) return await this.#resultEdits(line, result, asked.tool);
      return [];
    } catch (error) {
      // What is not JSON after all is for the client to refuse.
      if (error instanceof NotJson) return [];
      const failed = {
        code: -32603,
        message: `claim-check could not handle this answer, and did not pass it on: ${nameOf(error)}`,
      };
      const id = textOf(line, message.id!);
      const replacement = new TextEncoder().encode(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(failed)}}`);
      return [{ ...message.span, replacement }];
    }
  }

  async #listEdits(line: Uint8Array, result: Span): Promise<Edit[]> {
    const page = toolPage(line, result);
    if (page === undefined) return [];
    const { desk, keepsStructured } = this.#options;
    desk.avoid(page.names);
    return listingEdits(line, result, keepsStructured, page.isLast ? await desk.definitions() : []);
  }

  async #resultEdits(line: Uint8Array, result: Span, tool: string): Promise<Edit[]> {
    const { desk, keepsStructured, seal, report } = this.#options;
    const task = valueOf(members(line, result), 'task');
    const taskId = task && stringOf(line, members(line, task), 'taskId');
    if (taskId !== undefined) {
      this.#pending.setTask(taskId, tool);
      return [];
    }
    report.seen(tool);
    return resultEdits(line, result, { carrier: await desk.carrier(tool), keepsStructured, seal });
  }

  #remember(line: Uint8Array, { id, method, params }: Message): void {
    if (method === undefined) return;
    const fields = params && members(line, params);
    if (id === undefined) {
      const cancelled = method === 'notifications/cancelled' && fields && valueOf(fields, 'requestId');
      if (cancelled) this.#pending.cancel(idKey(line, cancelled));
      return;
    }
    const text = (key: string): string | undefined => fields && stringOf(line, fields, key);
    const task = method === 'tasks/result' ? text('taskId') : undefined;
    // A name of our own making where there is none: what such a call returns is bounded all the same.
    const tool =
      method === 'tools/call' ? (text('name') ?? '(no name)') : task && (this.#pending.toolOf(task) ?? '(a task)');
    this.#pending.add(idKey(line, id), { method, tool });
  }

  /** The answer to a call of one of our own tools; none for any other message. */
  #ownCall(line: Uint8Array, { id, method, params }: Message): (() => Promise<Uint8Array>) | undefined {
    if (id === undefined || method !== 'tools/call' || params === undefined) return undefined;
    const fields = members(line, params);
    const name = stringOf(line, fields, 'name');
    if (name === undefined || !this.#options.desk.tools.has(name)) return undefined;
    const args = valueOf(fields, 'arguments');
    const meta = valueOf(fields, '_meta');
    const isOfNewEra = meta !== undefined && valueOf(members(line, meta), PROTOCOL_VERSION) !== undefined;
    const [idText, argsText] = [textOf(line, id), args === undefined ? '{}' : textOf(line, args)];
    return async () => {
      const head = `{"jsonrpc":"2.0","id":${idText},`;
      try {
        const reply = replyOf(await this.#options.desk.answer(name, argsText), this.#options.seal);
        const result: ToolReply & { resultType?: string } = { ...(isOfNewEra && { resultType: 'complete' }), ...reply };
        return new TextEncoder().encode(`${head}"result":${JSON.stringify(result)}}`);
      } catch (error) {
        const failed = { code: -32603, message: `claim-check could not answer: ${nameOf(error)}` };
        return new TextEncoder().encode(`${head}"error":${JSON.stringify(failed)}}`);
      }
    };
  }
}

/** Whether a result can be one of what was asked: for two requests under one id. */
function fits(line: Uint8Array, result: Span, { method, tool }: Asked): boolean {
  const fields = members(line, result);
  const has = (key: string): boolean => valueOf(fields, key) !== undefined;
  if (method === 'tools/list') return has('tools');
  return tool === undefined
    ? !has('tools') && !has('content')
    : has('content') || has('structuredContent') || has('task');
}

/** What is left of a line without some of its messages. */
function rest(
  line: Uint8Array,
  { batch, messages }: Line,
  isTaken: (index: number) => boolean,
): Uint8Array | undefined {
  if (batch === undefined || messages.every((_, index) => isTaken(index))) return undefined;
  return applied(line, listEdits(batch, isTaken, []));
}

/** The answers as a line: to a batch, a batch. */
async function answers(calls: readonly (() => Promise<Uint8Array>)[], { batch }: Line): Promise<Uint8Array> {
  const all = await Promise.all(calls.map((call) => call()));
  const comma = Uint8Array.of(0x2c);
  const list = all.flatMap((one, index) => (index === 0 ? [one] : [comma, one]));
  return joined(
    batch === undefined ? [...list, NEWLINE] : [Uint8Array.of(0x5b), ...list, Uint8Array.of(0x5d), NEWLINE],
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
