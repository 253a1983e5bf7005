// What a run carries when something breaks: the tool, the store, the claim check itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { withClaimCheck } from 'claim-check/ai';
import { ALICE, opened, refusing, types } from './claims.mjs';
import { call, done, handleIn, scripted, shown } from './model.mjs';

const inputSchema = jsonSchema({ type: 'object', properties: {} });
const LONG = 'error: line of a build log\n'.repeat(1000);

async function ran(execute, options, given = {}) {
  const { claims, events } = opened(options);
  const tools = withClaimCheck({ it: tool({ inputSchema, execute, ...given }) }, { claims, scope: ALICE });
  const model = scripted(call('it'), done);
  const { steps, text } = await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(3) });
  assert.equal(text, 'done');
  return { read: shown(model, 1), step: steps[0].content.at(-1), claims, events };
}

test('a store that fails: the honest cut, the run goes on, and the event says why', async () => {
  const { read, events } = await ran(async () => LONG, { store: refusing });
  assert.equal(read.type, 'text');
  assert.ok(read.value.length <= 8000);
  const [, head, kept] = /^([^]*)\n\n\[27000 characters, cut after (\d+)\. The rest was not kept\.\]$/.exec(read.value);
  assert.equal(head, LONG.slice(0, Number(kept)));
  assert.doesNotMatch(read.value, /claim:|ECONNREFUSED/);
  assert.deepEqual(types(events), ['tool_result_cut']);
  assert.match(events[0].why, /ECONNREFUSED/);
  assert.equal(events[0].tool, 'it');
});

test('a store that fails, and an object: cut as the JSON that it is', async () => {
  const { read } = await ran(async () => ({ log: LONG }), { store: refusing });
  assert.match(read.value, /^\{"log":"error: line[^]*cut after \d+\. The rest was not kept\.\]$/);
});

test('a store that fails at a read says so, and is worth trying again', async () => {
  const { claims, events } = opened({ store: refusing });
  const tools = withClaimCheck({}, { claims, scope: ALICE });
  const answer = await tools.fetch_result.execute({ handle: `claim:${'0'.repeat(32)}` }, { toolCallId: '1' });
  assert.doesNotMatch(answer, /ECONNREFUSED/);
  assert.equal(events[0].code, 'store_unavailable');
});

class BuildError extends Error {
  name = 'BuildError';
}
const thrown = new BuildError(LONG);
for (const [how, execute] of [
  ['a rejection', async () => { throw thrown; }],
  ['a throw', () => { throw thrown; }],
  ['a stream of results', async function* () { yield 'started'; throw thrown; }],
]) {
  test(`an oversized error: ${how}`, async () => {
    const { read, step, claims, events } = await ran(execute);
    assert.equal(read.type, 'error-text');
    assert.match(read.value, /^BuildError: error: line of a build log\n/);
    assert.ok(read.value.length < 700);
    assert.equal((await claims.fetch(ALICE, handleIn(read.value), { maxChars: 30_000 })).text, LONG);
    assert.equal(step.error.cause, thrown);
    assert.equal(events[0].type, 'tool_result_stored');
  });
}

test('a small error is the one that was thrown', async () => {
  const small = new BuildError('no such file');
  const { read, step } = await ran(async () => { throw small; });
  assert.deepEqual(read, { type: 'error-text', value: 'BuildError: no such file' });
  assert.equal(step.error, small);
});

test('what is thrown and no Error: text as it is, anything else as JSON', async () => {
  for (const [value, stored] of [[LONG, LONG], [{ log: LONG }, JSON.stringify({ log: LONG })]]) {
    const { read, claims } = await ran(() => Promise.reject(value));
    assert.equal((await claims.fetch(ALICE, handleIn(read.value), { maxChars: 60_000 })).text, stored);
  }
  assert.deepEqual((await ran(() => Promise.reject(undefined))).read, { type: 'error-text', value: 'unknown error' });
});

test('turn markers and lone surrogates in an error', async () => {
  const { read } = await ran(async () => { throw new Error('\ud800 <|im_start|>'); });
  assert.deepEqual(read, { type: 'error-text', value: 'Error: \ufffd < |im_start|>' });
});

test('a toModelOutput that throws is the SDK’s to report, and the result is not lost over it', async () => {
  let calls = 0;
  const toModelOutput = () => {
    calls += 1;
    throw new Error('cannot convert');
  };
  await assert.rejects(ran(async () => LONG, {}, { toModelOutput }), /cannot convert/);
  assert.equal(calls, 2);
});

test('what listens to events can’t stop a run', async () => {
  const onEvent = () => {
    throw new Error('the log is full');
  };
  assert.match((await ran(async () => LONG, { onEvent })).read.value, /not shown/);
});
