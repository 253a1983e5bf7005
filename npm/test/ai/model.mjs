// A scripted model: what it answers, and the notices it reads, as a model would.

import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that answers step by step; a step may be a function of the tool message that it was just shown. */
export function scripted(...steps) {
  const next = () => {
    let step = 0;
    return async ({ prompt }) => {
      const answer = steps[step++];
      return typeof answer === 'function' ? answer(outputs(prompt.at(-1)).at(-1)) : answer;
    };
  };
  const [generate, stream] = [next(), next()];
  return new MockLanguageModelV4({
    doGenerate: async (options) => ({ usage, warnings: [], ...(await generate(options)) }),
    doStream: async (options) => ({ stream: simulateReadableStream({ chunks: chunks(await stream(options)) }) }),
  });
}

/** One call of one tool. */
export const call = (toolName, input = {}) => ({
  content: [{ type: 'tool-call', toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls', raw: undefined },
});

/** The last word. */
export const done = { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: undefined } };

/** What the model was shown of each tool result in a message. */
export const outputs = (message) => message.content.filter(({ type }) => type === 'tool-result').map(({ output }) => output);

/** What the model was shown of the last tool result before its n-th answer, from 0. */
export const shown = (model, n) => outputs((model.doGenerateCalls[n] ?? model.doStreamCalls[n]).prompt.at(-1)).at(-1);

/** The handle in a ticket. */
export const handleIn = (text) => /handle='(claim:[0-9a-f]{32})'/.exec(text)[1];

function chunks({ content, finishReason }) {
  const parts = content.flatMap((part) =>
    part.type === 'text'
      ? [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: part.text },
          { type: 'text-end', id: 't' },
        ]
      : [part],
  );
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', usage, finishReason }];
}
