// What is refused, before anything is called: each with a code and a message that says what to do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClaimCheck, ClaimCheckError, MemoryStore, neutralise, SettingsError, truncate } from 'claim-check';
import { storeWith } from './slow-store.mjs';

const scope = { tenant: 'acme', run: 'run_1' };
const HANDLE = `claim:${'0'.repeat(32)}`;

function refusedArgument(message) {
  return { name: 'ClaimCheckError', code: 'invalid-argument', message };
}

/** A claim check whose store must not be asked. */
function untouched() {
  const asked = (name) => () => assert.fail(`the store was asked to ${name}`);
  return ClaimCheck.open({ store: { put: asked('put'), fetch: asked('fetch'), forget: asked('forget') } });
}

test('a text with a lone surrogate is refused wherever it stands', async () => {
  const claims = untouched();
  const name = /^(\S+) holds a lone surrogate, so it is no Unicode text; pass toWellFormed\(\) of it/;
  for (const bad of ['\ud800', 'x\udc00y', '🏴'.slice(0, 1), '\udc00\ud800', 'x'.repeat(9000) + '\ud83c']) {
    const refused = { name: 'ClaimCheckError', code: 'not-well-formed', message: name };
    for (const call of [
      () => claims.checkIn(scope, 't', bad),
      () => claims.carry(scope, 't', bad),
      () => claims.checkIn(scope, bad, 'x'),
      () => claims.carry({ tenant: bad, run: 'r' }, 't', 'x'),
      () => claims.fetch(scope, bad),
      () => claims.find(scope, HANDLE, bad),
      () => claims.answer({ tenant: 't', run: bad }, 'fetch_result', {}),
      () => claims.forget({ tenant: bad }),
    ]) {
      await assert.rejects(call, refused);
    }
    assert.throws(() => neutralise(bad), refused);
    assert.throws(() => truncate(bad, 10), refused);
    assert.throws(() => ClaimCheck.open({ store: new MemoryStore(), fetchTool: bad }), refused);
  }
  assert.equal(neutralise('🏴 whole'), '🏴 whole');
});

test('without isWellFormed in the runtime it is the same', () => {
  const { isWellFormed } = String.prototype;
  delete String.prototype.isWellFormed;
  try {
    assert.throws(() => neutralise('\ud800'), { code: 'not-well-formed' });
    assert.throws(() => neutralise('\udc00\ud800'), { code: 'not-well-formed' });
    assert.equal(neutralise('🏴 é'), '🏴 é');
  } finally {
    Object.defineProperty(String.prototype, 'isWellFormed', { value: isWellFormed, configurable: true, writable: true });
  }
});

test('a text that is none is refused by its name and its type, never by its value', async () => {
  const claims = untouched();
  for (const [value, is] of [[undefined, 'undefined'], [null, 'null'], [12, 'a number'], [1n, 'a bigint'], [{}, 'an object'], [['a'], 'an array'], [Symbol('s'), 'a symbol'], [new String('x'), 'an object']]) {
    await assert.rejects(claims.checkIn(scope, 't', value), refusedArgument(`content is ${is}; it must be a string`));
    await assert.rejects(claims.carry(scope, value, 'x'), refusedArgument(`tool is ${is}; it must be a string`));
    await assert.rejects(claims.fetch({ tenant: 'a', run: value }, HANDLE), refusedArgument(`scope.run is ${is}; it must be a string`));
    await assert.rejects(claims.find(scope, HANDLE, value), refusedArgument(`needle is ${is}; it must be a string`));
  }
  for (const value of [undefined, null, 'acme', 1]) {
    await assert.rejects(claims.carry(value, 't', 'x'), refusedArgument(/^scope is .*; it must be an object$/));
  }
});

test('a number that is not whole or out of range is refused, not wrapped', async () => {
  const claims = untouched();
  const numbers = [NaN, Infinity, -Infinity, 0.5, 2 ** 31, 2 ** 53, -(2 ** 31) - 1];
  for (const offset of numbers) {
    const message = `offset is ${offset}; it must be a whole number from -2147483648 to 2147483647`;
    await assert.rejects(claims.fetch(scope, HANDLE, { offset }), refusedArgument(message));
    await assert.rejects(claims.find(scope, HANDLE, 'x', { offset }), refusedArgument(message));
  }
  for (const most of [NaN, -1, 1.5, 2 ** 32, Infinity]) {
    const message = (name) => refusedArgument(`${name} is ${most}; it must be a whole number from 0 to 4294967295`);
    await assert.rejects(claims.fetch(scope, HANDLE, { maxChars: most }), message('maxChars'));
    await assert.rejects(claims.find(scope, HANDLE, 'x', { maxMatches: most }), message('maxMatches'));
    assert.throws(() => truncate('text', most), message('maxChars'));
    const open = (options) => () => ClaimCheck.open({ store: new MemoryStore(), ...options });
    assert.throws(open({ windowChars: most }), message('windowChars'));
    assert.throws(open({ cutChars: most }), message('cutChars'));
    for (const field of ['thresholdChars', 'headChars', 'tailChars', 'ttlSeconds']) {
      assert.throws(open({ policy: { [field]: most } }), message(`policy.${field}`));
      assert.throws(open({ perTool: { grep: { [field]: most } } }), message(`perTool['grep'].${field}`));
    }
  }
  for (const [value, is] of [['1', 'a string'], [1n, 'a bigint'], [null, 'null'], [true, 'a boolean']]) {
    await assert.rejects(claims.fetch(scope, HANDLE, { offset: value }), refusedArgument(`offset is ${is}; it must be a number`));
  }
  await assert.rejects(claims.fetch(scope, HANDLE, { offset: -1 }), {
    code: 'invalid-offset',
    message: 'offset -1 is negative; offsets count characters from 0',
  });
  await assert.rejects(claims.fetch(scope, HANDLE, { ofset: 1 }), refusedArgument("options has no 'ofset'; it has offset, maxChars"));
});

test('the largest numbers that are allowed do not wrap either', async () => {
  const claims = ClaimCheck.open({ store: new MemoryStore(), policy: { thresholdChars: 2, headChars: 1, ttlSeconds: 2 ** 32 - 1 } });
  const { ticket } = await claims.checkIn(scope, 't', 'abc');
  assert.equal(ticket.ttlSeconds, 4_294_967_295);
  assert.equal((await claims.fetch(scope, ticket.handle, { maxChars: 2 ** 32 - 1 })).text, 'abc');
  assert.equal((await claims.fetch(scope, ticket.handle, { offset: 2 ** 31 - 1, maxChars: 2 ** 32 - 1 })).text, '');
  const never = ClaimCheck.open({ store: new MemoryStore(), policy: { thresholdChars: 2 ** 32 - 1 } });
  assert.equal((await never.checkIn(scope, 't', 'x'.repeat(100_000))).kind, 'as-it-is');
});

test('only two shapes forget, and neither can be mistaken for the other', async () => {
  const claims = untouched();
  const cases = [
    undefined, null, 'acme', [], {}, { tenant: undefined }, { tenant: null }, { run: undefined }, { run: 'run_1' }, { run: { tenant: 'acme' } },
    { run: { run: 'run_1' } }, { run: { tenant: 'acme', run: undefined } }, { tenant: 'acme', run: 'run_1' }, { tenant: 'acme', run: undefined },
    { tenant: 'acme', run: { tenant: 'acme', run: 'run_1' } }, { tenant: 'acme', all: true }, { Tenant: 'acme' },
  ];
  for (const what of cases) await assert.rejects(claims.forget(what), { code: 'invalid-argument' }, JSON.stringify(what));
  await assert.rejects(
    claims.forget({ tenant: 'acme', run: 'run_1' }),
    refusedArgument(
      "what is to be forgotten has 'tenant', 'run'; pass { tenant } to forget a whole tenant, or { run: { tenant, run } } to forget one run",
    ),
  );
  for (const what of [{ tenant: '' }, { tenant: 'x'.repeat(256) }, { run: { tenant: 'acme', run: '' } }, { run: { tenant: 'a\n', run: 'r' } }]) {
    await assert.rejects(claims.forget(what), { code: 'invalid-scope' });
  }
});

test('forgetting drops a run or a tenant, says how many, and tells of it', async () => {
  const events = [];
  const claims = ClaimCheck.open({ store: new MemoryStore(), onEvent: (event) => events.push(event) });
  const handles = [];
  for (const [tenant, run] of [['acme', 'a'], ['acme', 'b'], ['globex', 'a']]) {
    handles.push((await claims.checkIn({ tenant, run }, 't', 'x'.repeat(5000))).ticket.handle);
  }
  events.length = 0;
  assert.equal(await claims.forget({ run: { tenant: 'acme', run: 'a' } }), 1);
  await assert.rejects(claims.fetch({ tenant: 'acme', run: 'a' }, handles[0]), { absence: 'missing' });
  assert.equal((await claims.fetch({ tenant: 'acme', run: 'b' }, handles[1])).chars, 5000);
  assert.equal(await claims.forget({ tenant: 'acme' }), 1);
  assert.equal((await claims.fetch({ tenant: 'globex', run: 'a' }, handles[2])).chars, 5000);
  assert.deepEqual(events.map(({ durationMs, ...event }) => event), [
    { type: 'claims_forgotten', what: { run: { tenant: 'acme', run: 'a' } }, live: 1 },
    { type: 'claims_forgotten', what: { tenant: 'acme' }, live: 1 },
  ]);
  for (const count of [undefined, -1, 1.5, '3', NaN]) {
    const vague = ClaimCheck.open({ store: storeWith({ forget: () => count }) });
    await assert.rejects(vague.forget({ tenant: 'acme' }), { name: 'StoreError', code: 'failed' });
  }
});

test('settings are refused when they are written, in the words of the rules', () => {
  const open = (options) => () => ClaimCheck.open({ store: new MemoryStore(), ...options });
  const cases = [
    [{ policy: { thresholdChars: 0 } }, 'zero-threshold', undefined, /^the policy: threshold-chars is 0/],
    [{ policy: { headChars: 4096 } }, 'extract-not-below-threshold', undefined, /not below threshold-chars/],
    [{ perTool: { grep: { ttlSeconds: 0 } } }, 'zero-ttl', 'grep', /^the policy of tool 'grep': ttl-seconds is 0/],
    [{ windowChars: 0 }, 'zero-window', undefined, /window-chars is 0/],
    [{ perTool: [['grep', {}], ['grep', {}]] }, 'duplicate-tool', 'grep', /two policies/],
    [{ perTool: new Map([['fetch_result', {}]]) }, 'policy-for-redeeming-tool', 'fetch_result', /redeems handles/],
    [{ fetchTool: 'a b' }, 'bad-tool-name', 'a b', /can't name a redeeming tool/],
    [{ findTool: 'fetch_result' }, 'bad-tool-name', 'fetch_result', /a different name/],
  ];
  for (const [options, problem, tool, message] of cases) {
    assert.throws(open(options), (error) => {
      assert.ok(error instanceof SettingsError && error instanceof ClaimCheckError);
      assert.deepEqual([error.code, error.problem, error.tool], ['invalid-settings', problem, tool]);
      assert.match(error.message, message);
      return true;
    });
  }
  const stray = [
    [{ treshold: 1 }, /^options has no 'treshold'; it has store, /],
    [{ policy: { threshold: 1 } }, "policy has no 'threshold'; it has thresholdChars, headChars, tailChars, ttlSeconds"],
    [{ policy: 1 }, 'policy is a number; it must be an object'],
    [{ perTool: ['grep'] }, 'perTool is a list, and not all of it are pairs of a name and a policy'],
    [{ neutralise: 'no' }, 'neutralise is a string; it must be true or false'],
    [{ onEvent: true }, 'onEvent must be a function'],
    [{ store: undefined }, 'store is undefined; it must be an object'],
    [{ store: { put() {}, fetch() {} } }, "the store has no method 'forget'"],
  ];
  for (const [options, message] of stray) assert.throws(open(options), refusedArgument(message));
  assert.throws(() => ClaimCheck.open(), refusedArgument('options is undefined; it must be an object'));
});

test('a policy of one tool applies whole: what it leaves out is the default', async () => {
  const claims = ClaimCheck.open({
    store: new MemoryStore(),
    policy: { thresholdChars: 100, headChars: 10, ttlSeconds: 60 },
    perTool: { build: { tailChars: 300 } },
  });
  const log = 'step done\n'.repeat(1000);
  const [build, other] = [await claims.checkIn(scope, 'build', log), await claims.checkIn(scope, 'other', log)];
  assert.deepEqual([build.ticket.head.length, build.ticket.tail.length, build.ticket.ttlSeconds], [509, 299, 3600]);
  assert.deepEqual([other.ticket.head, other.ticket.tail, other.ticket.ttlSeconds], ['step done', '', 60]);
  assert.equal((await claims.checkIn(scope, 'build', log.slice(0, 4096))).kind, 'as-it-is');
});

test('the definitions, as each of the formats has them', () => {
  const claims = ClaimCheck.open({ store: new MemoryStore(), fetchTool: 'read_more', windowChars: 2000 });
  assert.deepEqual([claims.fetchTool, claims.findTool], ['read_more', 'find_in_result']);
  const [fetch, find] = claims.tools();
  assert.deepEqual([fetch.name, find.name], ['read_more', 'find_in_result']);
  assert.match(fetch.description, /Returns up to 2000 characters/);
  assert.deepEqual(fetch.inputSchema.required, ['handle']);
  assert.deepEqual(find.inputSchema.required, ['handle', 'text']);
  assert.deepEqual(claims.tools('mcp'), claims.tools());
  const { name, description, inputSchema } = fetch;
  assert.deepEqual(claims.tools('openai')[0], { type: 'function', function: { name, description, parameters: inputSchema } });
  assert.deepEqual(claims.tools('openai-responses')[0], { type: 'function', name, description, parameters: inputSchema, strict: false });
  assert.deepEqual(claims.tools('anthropic')[0], { name, description, input_schema: inputSchema });
  assert.throws(() => claims.tools('gemini'), refusedArgument('there is no format of that name; there are mcp, openai, openai-responses, anthropic'));
  const alone = ClaimCheck.open({ store: new MemoryStore(), findTool: null });
  assert.deepEqual([alone.tools().length, alone.findTool], [1, undefined]);
});
