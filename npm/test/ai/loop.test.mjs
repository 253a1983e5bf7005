// The whole road: a tool returns 200,000 characters on one line, and the model reads back what it wants of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateText, isStepCount, jsonSchema, streamText, tool, ToolLoopAgent } from 'ai';
import { claimCheckContext, withClaimCheck } from 'claim-check/ai';
import { ALICE, BOB, opened, types } from './claims.mjs';
import { call, done, handleIn, scripted, shown } from './model.mjs';

// One line, every character of it knows where it stands, and what is sought is neither in the head nor at the end.
const numbers = Array.from({ length: 28_571 }, (_, n) => String(n * 7).padStart(6, '0')).join(',');
const NEEDLE = 'THE NEEDLE';
const DUMP = `${numbers.slice(0, 150_000)}${NEEDLE}${numbers.slice(150_010)}END.`;
const any = jsonSchema({ type: 'object', properties: {} });
const raw = () => ({ dump: tool({ description: 'Returns a lot', inputSchema: any, execute: async () => DUMP }) });

const SHOWN =
  /^([\d,]+)\n\n\[200000 characters, (\d+) not shown\. Call fetch_result with handle='(claim:[0-9a-f]{32})' to read the rest\.\]$/;
const steps = (handle) => [
  call('dump'),
  ({ value }) => call('find_in_result', { handle: handle ?? handleIn(value), text: NEEDLE.toLowerCase() }),
  ({ value }) => call('fetch_result', { handle: handle ?? handleIn(value), offset: 199_000 }),
  done,
];

function assertRead(model) {
  const [ticket, found, window] = [1, 2, 3].map((n) => shown(model, n));
  assert.deepEqual([ticket.type, found.type, window.type], ['text', 'text', 'text']);
  const [, head, hidden, handle] = SHOWN.exec(ticket.value);
  assert.equal(head, DUMP.slice(0, head.length));
  assert.equal(200_000 - head.length, Number(hidden));
  assert.ok(ticket.value.length < 700, `the ticket has ${ticket.value.length} characters`);
  assert.match(found.value, /^150000: .*THE NEEDLE.*\n\n\[1 match from 0 on, no more\./);
  assert.equal(
    window.value,
    `${DUMP.slice(199_000)}\n\n[characters 199000 to 200000 of 200000. This is the end.]`,
  );
  return handle;
}

test('the fixture is what it is said to be', () => {
  assert.equal(DUMP.length, 200_000);
  assert.ok(!DUMP.includes('\n'));
  assert.equal(DUMP.indexOf(NEEDLE), 150_000);
});

test('generateText: head and notice, a search, the last window, exactly; to another tenant it is nothing', async () => {
  const { claims, events } = opened();
  const tools = withClaimCheck(raw(), { claims });
  const model = scripted(...steps());
  const run = (model, scope) =>
    generateText({ model, tools, toolsContext: claimCheckContext(tools, scope), prompt: 'go', stopWhen: isStepCount(9) });

  const result = await run(model, ALICE);
  const handle = assertRead(model);
  assert.equal(result.text, 'done');
  assert.deepEqual(types(events), ['tool_result_stored', 'claim_found', 'claim_fetched']);
  assert.deepEqual(events[0].scope, ALICE);
  assert.equal(events[0].handle, handle);
  assert.ok(JSON.stringify(result.steps).length < 30_000, 'the steps hold the raw result');

  const other = scripted(call('fetch_result', { handle, offset: 199_000 }), done);
  await run(other, BOB);
  const refusal = shown(other, 1);
  assert.equal(refusal.type, 'text');
  assert.doesNotMatch(refusal.value, /END|\d{6},|alice|bob|run-/);
  const unknown = scripted(call('fetch_result', { handle: `claim:${'0'.repeat(32)}` }), done);
  await run(unknown, ALICE);
  assert.equal(refusal.value, shown(unknown, 1).value);
  assert.deepEqual(
    events.slice(-2).map(({ type, code, scope }) => [type, code, scope]),
    [
      ['claim_refused', 'claim_unavailable', BOB],
      ['claim_refused', 'claim_unavailable', ALICE],
    ],
  );
});

test('streamText: the same', async () => {
  const { claims } = opened();
  const tools = withClaimCheck(raw(), { claims });
  const model = scripted(...steps());
  const toolsContext = claimCheckContext(tools, ALICE);
  const result = streamText({ model, tools, toolsContext, prompt: 'go', stopWhen: isStepCount(9) });
  const results = [];
  for await (const part of result.fullStream) if (part.type === 'tool-result') results.push(part);
  const handle = assertRead(model);
  assert.deepEqual(results.map(({ toolName }) => toolName), ['dump', 'find_in_result', 'fetch_result']);
  assert.equal(handleIn(results[0].output), handle);
  assert.equal(await result.text, 'done');
});

test('ToolLoopAgent: the same', async () => {
  const { claims } = opened();
  const tools = withClaimCheck(raw(), { claims });
  const model = scripted(...steps());
  const agent = new ToolLoopAgent({ model, tools, toolsContext: claimCheckContext(tools, ALICE) });
  assert.equal((await agent.generate({ prompt: 'go' })).text, 'done');
  assertRead(model);
});

test('a scope for one run: the same, with nothing in the context', async () => {
  const { claims } = opened();
  const model = scripted(...steps());
  await generateText({ model, tools: withClaimCheck(raw(), { claims, scope: ALICE }), prompt: 'go', stopWhen: isStepCount(9) });
  assertRead(model);
});

test('nothing else of what the model reads changes', async () => {
  const { claims } = opened();
  const [plain, checked] = [scripted(call('dump'), done), scripted(call('dump'), done)];
  const settings = { system: 'Be brief.', prompt: 'go', stopWhen: isStepCount(9), temperature: 0 };
  await generateText({ model: plain, tools: raw(), ...settings });
  await generateText({ model: checked, tools: withClaimCheck(raw(), { claims, scope: ALICE }), ...settings });

  for (const n of [0, 1]) {
    const { prompt, tools, ...rest } = structuredClone(plain.doGenerateCalls[n]);
    const { prompt: checkedPrompt, tools: checkedTools, ...checkedRest } = structuredClone(checked.doGenerateCalls[n]);
    if (n === 1) {
      const [before, after] = [prompt, checkedPrompt].map((messages) => messages.at(-1).content[0].output);
      assert.equal(before.value, DUMP);
      assert.match(after.value, SHOWN);
      after.value = before.value;
    }
    assert.deepEqual(checkedPrompt, prompt);
    assert.deepEqual(checkedTools.slice(0, 1), tools);
    assert.deepEqual(checkedTools.slice(1).map(({ name }) => name), ['fetch_result', 'find_in_result']);
    assert.deepEqual(checkedRest, rest);
  }
});
