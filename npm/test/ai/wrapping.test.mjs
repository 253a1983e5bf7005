// What is left of a tool, what is added to a set, and which sets are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { experimental_toolCaller as toolCaller, jsonSchema, tool } from 'ai';
import { ClaimCheckError } from 'claim-check';
import { claimCheckContext, withClaimCheck } from 'claim-check/ai';
import { ALICE, opened } from './claims.mjs';

const inputSchema = jsonSchema({ type: 'object', properties: {} });
const LONG = 'x'.repeat(20_000);
const refusal = (code, message) => (error) => {
  assert.ok(error instanceof ClaimCheckError);
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

test('the redeeming tools come last, and tell the model what the claim check says of them', () => {
  const { claims } = opened();
  const tools = withClaimCheck({ a: tool({ inputSchema, execute: () => 1 }) }, { claims, scope: ALICE });
  assert.deepEqual(Object.keys(tools), ['a', 'fetch_result', 'find_in_result']);
  for (const { name, description, inputSchema } of claims.tools()) {
    assert.equal(tools[name].description, description);
    assert.deepEqual(tools[name].inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' }), inputSchema);
  }
});

test('their names are the claim check’s, and there may be one', () => {
  const { claims } = opened({ fetchTool: 'read_more', findTool: null });
  assert.deepEqual(Object.keys(withClaimCheck({}, { claims, scope: ALICE })), ['read_more']);
});

test('a redeeming tool’s answer is never checked in, and wrong arguments get an answer', async () => {
  const { claims, events } = opened({ windowChars: 50_000 });
  const { dump, fetch_result } = withClaimCheck({ dump: tool({ inputSchema, execute: () => LONG }) }, { claims, scope: ALICE });
  const ticket = await dump.execute({}, { toolCallId: '1' });
  const window = await fetch_result.execute({ handle: ticket, offset: '5' }, { toolCallId: '2' });
  assert.equal(window.slice(0, 19_995), LONG.slice(5));
  assert.deepEqual(await fetch_result.inputSchema['~standard'].validate({ offset: [] }), { value: { offset: [] } });
  assert.match(await fetch_result.execute({ offset: [] }, { toolCallId: '3' }), /handle/);
  assert.equal(events.at(-1).code, 'invalid_arguments');
});

test('every other field is as it was, inherited and hidden ones too, and the given tool is not touched', () => {
  const { claims } = opened();
  const symbol = Symbol('own');
  class Searching {
    inputSchema = inputSchema;
    outputSchema = inputSchema;
    title = 'Search';
    metadata = { a: 1 };
    needsApproval = true;
    onInputStart() {}
    execute() {
      return this.title;
    }
    [symbol] = 1;
  }
  const given = Object.freeze(toolCaller({ inputSchema, outputSchema: inputSchema, execute: () => 1, title: 'B' }, { kind: 'code' }));
  const original = new Searching();
  const { a, b } = withClaimCheck({ a: Object.freeze(original), b: given }, { claims, scope: ALICE });
  for (const [wrapped, tool] of [[a, original], [b, given]]) {
    for (const key of Reflect.ownKeys(tool)) {
      if (key === 'outputSchema') assert.ok(!(key in wrapped));
      else if (key !== 'execute') assert.equal(wrapped[key], tool[key], String(key));
    }
    assert.equal(tool.outputSchema, inputSchema);
  }
  assert.equal(a.onInputStart, original.onInputStart);
  assert.ok(!('toModelOutput' in a));
  assert.deepEqual(b.experimental_toolCaller, { kind: 'code' });
});

test('a tool is called as a method of the tool that was given', async () => {
  const { claims } = opened();
  const given = { inputSchema, secret: 'mine', execute() { return this.secret; } };
  const { a } = withClaimCheck({ a: given }, { claims, scope: ALICE });
  assert.equal(await a.execute({}, { toolCallId: '1' }), 'mine');
});

test('a tool without execute is the same object', () => {
  const { claims } = opened();
  const [client, provider] = [tool({ inputSchema, outputSchema: inputSchema }), { type: 'provider', id: 'x.search', args: {} }];
  const tools = withClaimCheck({ client, provider }, { claims });
  assert.equal(tools.client, client);
  assert.equal(tools.provider, provider);
});

test('the wrapper of execute is not async, so a stream of results stays one', () => {
  const { claims } = opened();
  const { a } = withClaimCheck({ a: { inputSchema, async *execute() {} } }, { claims, scope: ALICE });
  assert.equal(typeof a.execute({}, { toolCallId: '1' })[Symbol.asyncIterator], 'function');
});

test('a foreign tool under a redeeming tool’s name is refused', () => {
  const { claims } = opened();
  for (const name of ['fetch_result', 'find_in_result']) {
    for (const foreign of [tool({ inputSchema, execute: () => 1 }), tool({ inputSchema })]) {
      assert.throws(
        () => withClaimCheck({ [name]: foreign }, { claims, scope: ALICE }),
        refusal('invalid-argument', new RegExp(`'${name}' already.*another fetchTool or findTool`)),
      );
    }
  }
});

test('tools that have a claim check already are refused, copied and renamed too', () => {
  const { claims } = opened();
  const tools = withClaimCheck({ a: tool({ inputSchema, execute: () => 1 }) }, { claims, scope: ALICE });
  for (const again of [tools, { b: { ...tools.a, title: 'B' } }, { other: tools.fetch_result }]) {
    assert.throws(() => withClaimCheck(again, { claims, scope: ALICE }), refusal('invalid-argument', /has a claim check already/));
  }
});

test('sets that were wrapped one by one make one set', async () => {
  const { claims } = opened();
  const set = (name) => withClaimCheck({ [name]: tool({ inputSchema, execute: () => LONG }) }, { claims, scope: ALICE });
  const tools = { ...set('a'), ...set('b') };
  for (const name of ['a', 'b']) {
    const ticket = await tools[name].execute({}, { toolCallId: name });
    assert.match(await tools.fetch_result.execute({ handle: ticket }, { toolCallId: 'f' }), /^x{4096}\n\n\[characters 0 to 4096/);
  }
});

test('what is no claim check, no tool set, no scope', () => {
  const { claims } = opened();
  const invalid = (run, message) => assert.throws(run, refusal('invalid-argument', message));
  invalid(() => withClaimCheck({}, { claims: {} }), /claims must be a ClaimCheck/);
  invalid(() => withClaimCheck({}, { claim: claims }), /no 'claim'/);
  invalid(() => withClaimCheck(undefined, { claims }), /tools is undefined/);
  invalid(() => withClaimCheck({ a: 7 }, { claims }), /the tool 'a' is a number/);
  invalid(() => withClaimCheck({}, { claims, scope: { tenant: 'x' } }), /scope\.run is undefined/);
  const empty = { tenant: '', run: 'r' };
  assert.throws(() => withClaimCheck({}, { claims, scope: empty }), refusal('invalid-scope', /tenant/));
  assert.throws(() => claimCheckContext({}, empty), refusal('invalid-scope', /tenant/));
});
