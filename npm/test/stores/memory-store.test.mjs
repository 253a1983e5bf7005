// What MemoryStore promises beyond the rules of every store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { MemoryStore } from '../../dist/stores/memory.js';
import { ManualClock } from '../../dist/stores/suite.js';

const handle = (n) => `claim:${n.toString(16).padStart(32, '0')}`;
const claim = (text) => ({ manifest: 'm', pages: [text] });
const scope = { tenant: 't', run: 'r' };

test('it answers with values, and what it was given may change afterwards', () => {
  const store = new MemoryStore();
  const pages = ['one', 'two'];
  assert.equal(store.put(scope, handle(1), { manifest: 'm', pages }, 60), undefined);
  pages[1] = 'another';
  const held = store.fetch(scope, handle(1), 0, 9);
  assert.deepEqual(held, { manifest: 'm', pages: ['one', 'two'] });
  held.pages.length = 0;
  assert.deepEqual(store.fetch(scope, handle(1), 1, 1), { manifest: 'm', pages: ['two'] });
  assert.throws(() => store.fetch(scope, handle(2), 0, 1), { name: 'StoreError', code: 'not-found' });
  assert.equal(store.forget({ run: scope }), 1);
});

test('names that JavaScript gives a meaning to are names', () => {
  const store = new MemoryStore();
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
    const named = { tenant: name, run: name };
    assert.throws(() => store.fetch(named, name, 0, 1), { code: 'not-found' });
    assert.equal(store.forget({ tenant: name }), 0);
    store.put(named, handle(1), claim(name), 60);
    assert.deepEqual(store.fetch(named, handle(1), 0, 1).pages, [name]);
    assert.equal(store.forget({ run: { tenant: name, run: 'toString' } }), 0);
    assert.equal(store.forget({ tenant: name }), 1);
  }
  assert.deepEqual([{}.polluted, store.heldBytes], [undefined, 0]);
});

test('bytes are those of UTF-8, and 512 for every claim', () => {
  const store = new MemoryStore();
  store.put(scope, handle(1), { manifest: 'é', pages: ['abc', '猫', '\u{1f469}'] }, 60);
  assert.equal(store.heldBytes, 512 + 2 + 3 + 3 + 4);
  store.put(scope, handle(1), claim('abc'), 60);
  assert.equal(store.heldBytes, 512 + 1 + 3);
});

test('bounds hold per tenant and in all, and expired claims make room', () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ now: clock.now, tenantBytes: 10_000, totalBytes: 15_000 });
  const large = claim('x'.repeat(4000));
  const put = (tenant, n) => store.put({ tenant, run: 'r' }, handle(n), large, 10);
  const full = (whose, bound, held) => ({
    name: 'StoreError',
    code: 'full',
    message:
      `a claim that takes 4513 bytes does not fit: ${whose} may hold ${bound} bytes, and ${held} are held; ` +
      'forget runs that have ended, or raise the bound',
  });
  put('a', 1);
  put('a', 2);
  assert.throws(() => put('a', 3), full('a tenant', 10_000, 9026));
  put('a', 2);
  put('b', 1);
  assert.throws(() => put('b', 2), full('the store', 15_000, 13_539));
  assert.equal(store.heldBytes, 13_539);
  clock.advance(9_999);
  assert.throws(() => put('a', 3), { code: 'full' });
  clock.advance(1);
  put('a', 3);
  assert.equal(store.heldBytes, 4513);
});

test('later puts sweep what has expired, a few at a time', () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ now: clock.now });
  for (let n = 0; n < 1000; n += 1) store.put(scope, handle(n), claim('x'), 10);
  const held = store.heldBytes;
  clock.advance(10_000);
  store.put(scope, handle(5000), claim('x'), 10);
  assert.equal(store.heldBytes, held - 15 * (512 + 2));
  for (let n = 0; n < 70; n += 1) store.put(scope, handle(6000 + n), claim('x'), 10);
  assert.equal(store.heldBytes, 71 * (512 + 2));
});

test('claims that live are looked at once a round, and stay', () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ now: clock.now });
  for (let n = 0; n < 40; n += 1) store.put(scope, handle(n), claim('x'), n % 2 === 0 ? 10 : 1000);
  clock.advance(10_000);
  for (let n = 0; n < 3; n += 1) store.put(scope, handle(100 + n), claim('x'), 1000);
  assert.equal(store.heldBytes, 23 * (512 + 2));
  assert.equal(store.forget({ run: scope }), 23);
});

test('what was forgotten is in memory no longer', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const store = new MemoryStore();
  // A WeakRef can't watch a string, but an object that reads as one. In a call of its own, whose variables are gone.
  const put = (n) => {
    const page = new String('x');
    store.put(scope, handle(n), { manifest: 'm', pages: [page] }, 60);
    return new WeakRef(page);
  };
  const pages = Array.from({ length: 100 }, (_, n) => put(n));
  const held = async () => {
    // What a WeakRef was made of or asked for lives until the turn ends.
    await new Promise(setImmediate);
    collectGarbage();
    return pages.filter((page) => page.deref() !== undefined).length;
  };
  assert.equal(await held(), 100);
  store.forget({ run: scope });
  assert.deepEqual([await held(), store.heldBytes], [0, 0]);
});

test('what is no bound, no time to live and no erasure is refused', () => {
  for (const bound of [0, -1, Number.NaN, '9', null]) {
    const message = `tenantBytes is ${bound}; give a number of bytes above 0, or Infinity`;
    assert.throws(() => new MemoryStore({ tenantBytes: bound }), { name: 'RangeError', message });
  }
  const store = new MemoryStore({ totalBytes: Number.POSITIVE_INFINITY });
  for (const ttl of [0, -1, 0.5, Number.NaN, 2 ** 32, undefined]) {
    const message = `ttlSeconds is ${ttl}; give a whole number from 1 to 4294967295`;
    assert.throws(() => store.put(scope, handle(1), claim('x'), ttl), { code: 'failed', message });
  }
  store.put(scope, handle(1), claim('x'), 60);
  for (const what of [scope, {}, { run: 'r' }, { run: null }, { tenant: undefined }]) {
    assert.throws(() => store.forget(what), { name: 'StoreError', code: 'failed' });
  }
  assert.deepEqual(store.fetch(scope, handle(1), 0, 1).pages, ['x']);
});
