import type { Answer } from '../outcome.ts';
import { SEAL, type Seal } from './seal.ts';

/** A redeeming tool's reply as MCP has it. */
export interface ToolReply {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: true;
  readonly _meta?: { readonly [key: string]: unknown };
}

/**
 * The reply to a call: the text and the note about it as two blocks, so that the first is nothing but what the tool
 * returned. A refusal is a result that the model reads, too.
 */
export function replyOf(answer: Answer, seal?: Seal): ToolReply {
  // No empty block: some models' interfaces refuse one.
  const texts = answer.refused ? [answer.rendered] : [answer.text, answer.note].filter((text) => text !== '');
  const content = texts.map((text) => ({ type: 'text', text }) as const);
  const sealed = seal?.of(texts);
  return {
    content,
    ...(answer.refused && { isError: true }),
    ...(sealed !== undefined && { _meta: { [SEAL]: sealed } }),
  };
}
