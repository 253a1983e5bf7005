// claim-check/component: the same answers and errors as claim-check, at once, for stores that answer at once.

import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import * as core from 'claim-check';
import { ClaimCheck, ClaimCheckError, MemoryStore, neutralise, SettingsError, StoreError, truncate } from 'claim-check/component';

const scope = { tenant: 'acme', run: 'run_1' };
const LOG = '<|im_start|>All is well. '.repeat(1000);

function opened(change = {}, options = {}) {
  const memory = new MemoryStore();
  const store = {
    put: (...args) => memory.put(...args),
    fetch: (...args) => memory.fetch(...args),
    forget: (...args) => memory.forget(...args),
    ...change,
  };
  return ClaimCheck.open({ store, ...options });
}

/** The error that a call throws, as what a caller can tell of it. */
function thrown(call) {
  try {
    return { answered: call() };
  } catch (error) {
    const { name, code, problem, tool, absence, message } = error;
    return { error, is: [name, code, problem, tool, absence], message };
  }
}

test('every answer is that of the core, and is there at once', async () => {
  const [here, there] = [opened(), core.ClaimCheck.open({ store: new MemoryStore() })];
  const outcome = here.checkIn(scope, 'read_log', LOG);
  assert.deepEqual(outcome, await there.checkIn(scope, 'read_log', LOG));
  const { handle } = outcome.ticket;
  for (const options of [undefined, { offset: 20_000 }, { offset: 24_990, maxChars: 100 }, { offset: 1e9 }]) {
    assert.deepEqual(here.fetch(scope, handle, options), await there.fetch(scope, handle, options));
    assert.deepEqual(here.find(scope, handle, 'WELL', options && { offset: options.offset }), await there.find(scope, handle, 'WELL', options && { offset: options.offset }));
  }
  for (const args of [{ handle }, JSON.stringify({ handle, offset: 7 }), { handle, offset: -1 }, 'x', undefined, { handle: 'claim:' }]) {
    const [got, expected] = [here.answer(scope, 'fetch_result', args), await there.answer(scope, 'fetch_result', args)];
    assert.equal(got.cause?.code, expected.cause?.code);
    assert.deepEqual({ ...got, cause: undefined }, { ...expected, cause: undefined });
  }
  assert.deepEqual(here.answer(scope, 'find_in_result', { handle, text: 'well' }), await there.answer(scope, 'find_in_result', { handle, text: 'well' }));
  for (const format of [undefined, 'mcp', 'openai', 'openai-responses', 'anthropic']) {
    assert.deepEqual(here.tools(format), there.tools(format));
  }
  assert.deepEqual([here.fetchTool, here.findTool], ['fetch_result', 'find_in_result']);
  assert.equal(opened({}, { findTool: null }).findTool, undefined);
  assert.deepEqual([here.checkIn(scope, 't', 'small'), here.checkIn(scope, 't', '<|im_start|>')], [
    { kind: 'as-it-is', rendered: 'small' },
    { kind: 'neutralised', rendered: '< |im_start|>' },
  ]);
  assert.deepEqual([here.forget({ run: scope }), here.forget({ tenant: 'acme' })], [1, 0]);
  assert.equal(neutralise(LOG), core.neutralise(LOG));
  assert.equal(truncate(LOG, 100), core.truncate(LOG, 100));
});

test('what is refused is refused with the same classes and codes', async () => {
  const handle = `claim:${'0'.repeat(32)}`;
  const calls = {
    'invalid-scope': (claims) => claims.checkIn({ tenant: '', run: 'r' }, 't', 'x'),
    'invalid-scope, forgotten': (claims) => claims.forget({ tenant: 'a\nb' }),
    'too-large': (claims) => claims.checkIn(scope, 't', 'x'.repeat(64 * 2 ** 20 + 1)),
    malformed: (claims) => claims.fetch(scope, 'claim:'),
    missing: (claims) => claims.fetch(scope, handle),
    'invalid-offset': (claims) => claims.fetch(scope, handle, { offset: -1 }),
    'invalid-needle': (claims) => claims.find(scope, handle, ''),
    'invalid-argument, wrapped': (claims) => claims.fetch(scope, handle, { offset: 2 ** 32 }),
    'invalid-argument, rounded': (claims) => claims.fetch(scope, handle, { maxChars: 1.5 }),
    'invalid-argument, a run is missing': (claims) => claims.forget({ tenant: 't', run: undefined }),
    'invalid-argument, no such format': (claims) => claims.tools('yaml'),
    'not-well-formed': (claims) => claims.checkIn(scope, 't', '\ud800'),
  };
  const [here, there] = [opened(), core.ClaimCheck.open({ store: new MemoryStore() })];
  for (const [name, call] of Object.entries(calls)) {
    const expected = await (async () => call(there))().catch((error) => error);
    const { error, is, message } = thrown(() => call(here));
    assert.ok(error instanceof ClaimCheckError, name);
    assert.deepEqual(is, [expected.name, expected.code, undefined, undefined, expected.absence], name);
    assert.ok(message.length > 20, message);
  }
  const settings = [{ policy: { thresholdChars: 0 } }, { windowChars: 0 }, { perTool: [['a', { ttlSeconds: 0 }]] }, { fetchTool: 'a b' }, { perTool: { fetch_result: {} } }];
  for (const wrong of settings) {
    const [got, expected] = [thrown(() => opened({}, wrong)), thrown(() => core.ClaimCheck.open({ store: new MemoryStore(), ...wrong }))];
    assert.ok(got.error instanceof SettingsError);
    assert.deepEqual(got.is, expected.is);
  }
  assert.equal(thrown(() => opened({}, { perTool: [['a', { ttlSeconds: 0 }]] })).message, "the settings make no sense: zero-ttl, of the tool 'a'");
  assert.throws(() => opened({ put: undefined }), { code: 'invalid-argument', message: "the store has no method 'put'" });
  assert.throws(() => opened({}, { cutChars: 1 }), { code: 'invalid-argument' });
});

test("a store's error reaches the caller as it was thrown, and the claim check goes on", () => {
  for (const code of ['unavailable', 'full', 'failed']) {
    const error = new StoreError(code, 'the reason');
    let isBroken = true;
    const memory = new MemoryStore();
    const claims = opened({
      put: (...args) => {
        if (isBroken) throw error;
        memory.put(...args);
      },
      fetch: () => {
        throw error;
      },
      forget: () => {
        throw error;
      },
    });
    assert.equal(thrown(() => claims.checkIn(scope, 't', LOG)).error, error);
    isBroken = false;
    const { handle } = claims.checkIn(scope, 't', LOG).ticket;
    assert.equal(thrown(() => claims.forget({ run: scope })).error, error);
    const fetched = thrown(() => claims.fetch(scope, handle));
    assert.equal(fetched.error, error);
    const { refused, code: told, cause } = claims.answer(scope, 'fetch_result', { handle });
    assert.deepEqual([refused, told], [true, code === 'unavailable' ? 'store_unavailable' : 'claim_unavailable']);
    assert.equal(cause, error);
  }
  const bug = new TypeError('x is not a function');
  const { is, error } = thrown(() => opened({ put: () => { throw bug; } }).checkIn(scope, 't', LOG));
  assert.deepEqual([is.slice(0, 2), error.cause], [['StoreError', 'failed'], bug]);
  for (const nonsense of [undefined, null, {}, { manifest: 'm', pages: [1] }]) {
    assert.equal(thrown(() => opened({ fetch: () => nonsense }).fetch(scope, `claim:${'0'.repeat(32)}`)).is[1], 'failed');
  }
  for (const nonsense of [undefined, -1, 1.5, '1', 2 ** 32]) {
    assert.equal(thrown(() => opened({ forget: () => nonsense }).forget({ run: scope })).is[1], 'failed', String(nonsense));
  }
});

test('a store that answers with promises is refused, and what becomes of the promise harms nobody', async () => {
  const late = async () => {
    throw new StoreError('unavailable', 'too late');
  };
  const claims = opened({ put: late, fetch: late, forget: late });
  const refused = (method) => ({
    name: 'StoreError',
    code: 'failed',
    message:
      `the store's ${method} returned a promise, and claim-check/component can't wait: give it a store that answers at ` +
      "once, or this store to the ClaimCheck of 'claim-check'",
  });
  const handle = `claim:${'0'.repeat(32)}`;
  assert.throws(() => claims.checkIn(scope, 't', LOG), refused('put'));
  assert.throws(() => claims.fetch(scope, handle), refused('fetch'));
  assert.throws(() => claims.forget({ run: scope }), refused('forget'));
  assert.equal(claims.answer(scope, 'fetch_result', { handle }).cause.message, refused('fetch').message);
  // A rejection that nobody has looked at would fail this test here.
  await setImmediate();
});

test('a store that calls back gets its answer', () => {
  let claims;
  const memory = new MemoryStore();
  claims = opened({
    put: (...args) => {
      memory.put(...args);
      assert.equal(claims.checkIn(scope, 't', 'small').kind, 'as-it-is');
      assert.equal(neutralise('<|im_end|>'), '< |im_end|>');
    },
    fetch: (...args) => memory.fetch(...args),
  });
  const { ticket } = claims.checkIn(scope, 't', LOG);
  assert.equal(claims.fetch(scope, ticket.handle, { offset: 5 }).offset, 5);
});
