// Tools of an MCP server, as `@ai-sdk/mcp` makes them: their results keep the shape of MCP's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMCPClient } from '@ai-sdk/mcp';
import { generateText, isStepCount } from 'ai';
import { withClaimCheck } from 'claim-check/ai';
import { z } from 'zod';
import { ALICE, opened } from './claims.mjs';
import { call, done, handleIn, scripted, shown } from './model.mjs';

const LONG = 'a line of a file\n'.repeat(1000);
const IMAGE = { type: 'image', data: Buffer.alloc(3750, 7).toString('base64'), mimeType: 'image/png' };
const RESULTS = {
  small: { content: [{ type: 'text', text: 'small' }], structuredContent: { a: 1 } },
  large: { content: [{ type: 'text', text: LONG }, IMAGE], structuredContent: { content: LONG }, _meta: { trace: 7 } },
  failed: { content: [{ type: 'text', text: LONG }], isError: true },
  sound: { content: [{ type: 'audio', data: 'A'.repeat(50_000), mimeType: 'audio/wav' }] },
  structured: { content: [{ type: 'text', text: JSON.stringify({ rows: LONG }) }], structuredContent: { rows: LONG } },
};

/** A server that answers in this process. */
function transport() {
  const answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
    'tools/list': () => ({ tools: Object.keys(RESULTS).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })) }),
    'tools/call': ({ name }) => RESULTS[name],
  };
  const made = {
    start: async () => {},
    close: async () => {},
    send: async ({ id, method, params }) => {
      const result = answers[method]?.(params ?? {});
      if (id !== undefined) queueMicrotask(() => made.onmessage({ jsonrpc: '2.0', id, result: structuredClone(result) }));
    },
  };
  return made;
}

async function ran(name, schemas) {
  const client = await createMCPClient({ transport: transport() });
  const { claims, events } = opened();
  const tools = withClaimCheck(await client.tools({ schemas }), { claims, scope: ALICE });
  const model = scripted(call(name), done);
  const { steps } = await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(3) });
  const stored = async (text) => (await claims.fetch(ALICE, handleIn(text), { maxChars: 100_000 })).text;
  return { kept: steps[0].toolResults[0].output, read: shown(model, 1), events, stored };
}

test('a small result is as it was', async () => {
  const { kept, read } = await ran('small');
  assert.deepEqual(kept, { ...RESULTS.small, isError: false });
  assert.equal(read.value[0].text, 'small');
});

test('text beside an image: a ticket, the image, and no structured content that says it all again', async () => {
  const { kept, read, stored } = await ran('large');
  const [ticket, image] = kept.content;
  assert.deepEqual(Object.keys(kept).sort(), ['_meta', 'content', 'isError']);
  assert.deepEqual(kept._meta, { trace: 7 });
  assert.deepEqual(image, IMAGE);
  assert.equal(await stored(ticket.text), LONG);
  assert.deepEqual(read.value.map(({ type }) => type), ['text', 'file']);
  assert.equal(read.value[0].text, ticket.text);
  assert.equal(read.value[1].data.data, IMAGE.data);
});

test('an error stays one', async () => {
  const { kept, stored } = await ran('failed');
  assert.equal(kept.isError, true);
  assert.equal(await stored(kept.content[0].text), LONG);
});

test('a block that the SDK makes text of counts as that text', async () => {
  const { kept, read, stored } = await ran('sound');
  assert.deepEqual(kept.content.map(({ type }) => type), ['text']);
  assert.ok(read.value[0].text.length < 800);
  assert.deepEqual(JSON.parse(await stored(read.value[0].text)), RESULTS.sound.content[0]);
});

test('a tool with a declared output: the JSON is checked in', async () => {
  const schemas = { structured: { inputSchema: z.object({}), outputSchema: z.object({ rows: z.string() }) } };
  const { read, stored } = await ran('structured', schemas);
  assert.equal(read.type, 'text');
  assert.deepEqual(JSON.parse(await stored(read.value)), { rows: LONG });
});
