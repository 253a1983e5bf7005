// Tools that return an async iterable: preliminary results for whoever watches, the last one for the model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStepCount, jsonSchema, streamText, tool } from 'ai';
import { withClaimCheck } from 'claim-check/ai';
import { ALICE, opened, types } from './claims.mjs';
import { call, done, handleIn, scripted, shown } from './model.mjs';

const inputSchema = jsonSchema({ type: 'object', properties: {} });
const part = (n) => `${'x'.repeat(9_999)}${n}`;

async function ran(execute, given = {}) {
  const { claims, events } = opened();
  const tools = withClaimCheck({ it: tool({ inputSchema, execute, ...given }) }, { claims, scope: ALICE });
  const model = scripted(call('it'), done);
  const result = streamText({ model, tools, prompt: 'go', stopWhen: isStepCount(3) });
  const [preliminary, final] = [[], []];
  for await (const part of result.fullStream) {
    if (part.type === 'tool-result') (part.preliminary ? preliminary : final).push(part.output);
  }
  return { preliminary, final, read: shown(model, 1), claims, events };
}

test('small ones, as they come', async () => {
  const { preliminary, final, read, events } = await ran(async function* () {
    yield 'started';
    yield { rows: 1 };
  });
  assert.deepEqual(preliminary, ['started', { rows: 1 }]);
  assert.deepEqual(final, [{ rows: 1 }]);
  assert.deepEqual(read, { type: 'json', value: { rows: 1 } });
  assert.deepEqual(types(events), ['tool_result_carried']);
});

test('a text that grows: only the last is stored, and what is shown before is cut', async () => {
  const { preliminary, final, read, claims, events } = await ran(async function* () {
    yield 'started';
    yield part(1);
    yield part(1) + part(2);
  });
  const whole = part(1) + part(2);
  assert.equal(preliminary[0], 'started');
  for (const shown of preliminary.slice(1, 3)) assert.match(shown, /^x+\n\n\[\d+ characters, cut after \d+\. The rest was not kept\.\]$/);
  assert.deepEqual(preliminary.slice(3), final);
  assert.equal(read.value, final[0]);
  assert.equal((await claims.fetch(ALICE, handleIn(read.value), { maxChars: 30_000 })).text, whole);
  assert.deepEqual(types(events), ['tool_result_stored']);
});

test('any async iterable will do, and with a toModelOutput of its own', async () => {
  const iterable = { [Symbol.asyncIterator]: async function* () { yield { text: part(1) }; } };
  const { final, read, claims } = await ran(() => iterable, { toModelOutput: ({ output }) => ({ type: 'text', value: output.text }) });
  assert.equal(final.length, 1);
  assert.equal((await claims.fetch(ALICE, handleIn(read.value), { maxChars: 30_000 })).text, part(1));
});

test('one that yields nothing', async () => {
  const { final, read, events } = await ran(async function* () {});
  assert.deepEqual([final, read], [[undefined], { type: 'json', value: null }]);
  assert.deepEqual(events, []);
});

test('whoever stops listening ends the tool', async () => {
  const { claims, events } = opened();
  let isEnded = false;
  const execute = async function* () {
    try {
      for (;;) yield 'tick';
    } finally {
      isEnded = true;
    }
  };
  const { it } = withClaimCheck({ it: { inputSchema, execute } }, { claims, scope: ALICE });
  for await (const _ of it.execute({}, { toolCallId: '1' })) break;
  assert.ok(isEnded);
  assert.deepEqual(events, []);
});
