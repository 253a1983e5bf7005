// Whose result it is: from the context that the caller passes, per tool, and never from the model.

import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import * as six from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { claimCheckContext, withClaimCheck } from 'claim-check/ai';
import { z } from 'zod';
import { ALICE, BOB, opened } from './claims.mjs';
import { call, done, handleIn, scripted, shown } from './model.mjs';

const inputSchema = jsonSchema({ type: 'object', properties: {} });
const LONG = 'x'.repeat(20_000);
const run = (tools, toolsContext, ...steps) =>
  generateText({ model: scripted(...steps), tools, toolsContext, prompt: 'go', stopWhen: isStepCount(9) });

test('one set of tools serves two tenants at once, each in its own scope', async () => {
  const { claims, events } = opened();
  const tools = withClaimCheck({ dump: tool({ inputSchema, execute: async () => LONG }) }, { claims });
  const read = [call('dump'), ({ value }) => call('fetch_result', { handle: handleIn(value) }), done];
  await Promise.all([ALICE, BOB].map((scope) => run(tools, claimCheckContext(tools, scope), ...read)));
  for (const type of ['tool_result_stored', 'claim_fetched']) {
    const scopes = events.filter((event) => event.type === type).map(({ scope }) => scope.tenant);
    assert.deepEqual(scopes.sort(), ['alice', 'bob']);
  }
  assert.equal(new Set(events.map(({ handle }) => handle)).size, 2);
});

test('what the model writes of a tenant is not looked at', async () => {
  const { claims } = opened();
  const { ticket } = await claims.checkIn(ALICE, 'dump', LONG);
  const tools = withClaimCheck({}, { claims });
  const args = { handle: ticket.handle, ...ALICE, scope: ALICE, claimCheck: ALICE };
  const model = scripted(call('fetch_result', args), done);
  await generateText({ model, tools, toolsContext: claimCheckContext(tools, BOB), prompt: 'go', stopWhen: isStepCount(3) });
  assert.doesNotMatch(shown(model, 1).value, /xx/);
});

test('without a scope the whole call fails before the tool runs, and says what to pass', async () => {
  const { claims } = opened();
  let runs = 0;
  const tools = withClaimCheck({ dump: tool({ inputSchema, execute: async () => ++runs }) }, { claims });
  await assert.rejects(run(tools, {}, call('dump'), done), /'dump' has no tenant and run: pass toolsContext: claimCheckContext/);
  await assert.rejects(run(tools, { dump: { claimCheck: { tenant: 'a' } } }, call('dump'), done), /scope\.run is undefined/);
  await assert.rejects(run(tools, { dump: { claimCheck: { tenant: '', run: 'r' } } }, call('dump'), done), /tenant/);
  await assert.rejects(run(tools, {}, call('fetch_result', { handle: 'x' }), done), /'fetch_result' has no tenant and run/);
  assert.equal(runs, 0);
});

const seen = [];
const execute = async (_, { context }) => seen.push(context);
for (const [kind, contextSchema] of [
  ['Zod, strict', z.object({ key: z.string() }).strict()],
  ['Zod, which strips what it does not know', z.object({ key: z.string() })],
  ['the SDK’s own', jsonSchema({ type: 'object' }, { validate: (value) =>
    typeof value.key === 'string' && Object.keys(value).length === 1
      ? { success: true, value }
      : { success: false, error: new Error('expected string') } })],
  ['the SDK’s own, that says nothing', jsonSchema({ type: 'object' })],
  ['one that is made when it is needed', () => jsonSchema({ type: 'object' })],
]) {
  test(`a tool's own context and its schema: ${kind}`, async () => {
    const { claims } = opened();
    const tools = withClaimCheck({ own: tool({ inputSchema, contextSchema, execute }) }, { claims });
    const context = claimCheckContext(tools, ALICE, { own: { key: 'k' } });
    assert.deepEqual(context.own, { key: 'k', claimCheck: ALICE });
    await run(tools, context, call('own'), done);
    assert.deepEqual(seen.pop(), { key: 'k', claimCheck: ALICE });
    const bad = claimCheckContext(tools, ALICE, { own: { key: 7 } });
    if (!kind.includes('nothing') && !kind.includes('needed')) {
      await assert.rejects(run(tools, bad, call('own'), done), /expected string/);
      assert.deepEqual(seen, []);
    }
    seen.length = 0;
  });
}

test('a scope that is asked for at each call', async () => {
  const { claims, events } = opened();
  const current = new AsyncLocalStorage();
  const tools = withClaimCheck({ dump: tool({ inputSchema, execute: () => LONG }) }, { claims, scope: () => current.getStore() });
  await Promise.all([ALICE, BOB].map((scope) => current.run(scope, () => tools.dump.execute({}, { toolCallId: '1' }))));
  assert.deepEqual(events.map(({ scope }) => scope), [ALICE, BOB]);
  assert.throws(() => tools.dump.execute({}, { toolCallId: '1' }), /scope is undefined/);
});

test('version 6 of the SDK, which has one context for all tools', async () => {
  const { claims } = opened();
  const tools = withClaimCheck({ dump: six.tool({ inputSchema, execute: async () => LONG }) }, { claims });
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const answer = (step) => ({ usage, warnings: [], ...step });
  const prompts = [];
  const steps = [() => call('dump'), (text) => call('fetch_result', { handle: handleIn(text), offset: 19_990 }), () => done];
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const value = prompt.at(-1).content[0].output?.value;
      prompts.push(value);
      return answer(steps.shift()(value));
    },
  });
  const context = { experimental_context: { claimCheck: ALICE } };
  await six.generateText({ model, tools, ...context, prompt: 'go', stopWhen: six.stepCountIs(5) });
  assert.equal(prompts[2], `${'x'.repeat(10)}\n\n[characters 19990 to 20000 of 20000. This is the end.]`);
});
