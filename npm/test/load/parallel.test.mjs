// Two hundred calls at once on one claim check, over a store that takes its time: nothing crosses, and nothing of the
// core is borrowed twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClaimCheck, MemoryStore, StoreError } from 'claim-check';

const AT_ONCE = 200;

/** Every method waits between 0 and 20 ms; every 25th put is refused, late. */
function slow(store) {
  let puts = 0;
  const late = (method) => async (...args) => {
    const isRefused = method === 'put' && ++puts % 25 === 0;
    await sleep(Math.random() * 20);
    if (isRefused) throw new StoreError('unavailable', 'try again');
    return store[method](...args);
  };
  return { put: late('put'), fetch: late('fetch'), forget: late('forget') };
}

const scope = (n) => ({ tenant: `tenant ${n % 7}`, run: `run ${n}` });
// ASCII, two bytes, three, four and something to neutralise: each has its own way through the core.
const kinds = ['abcdefghi ', 'éàüñçøßåæ ', '文字列の検索結果で。', '🏴🏳🏴🏳🏴🏳🏴🏳🏴 ', 'x\u001b[31mred\u001b[0m '];
const content = (n) => `${n}: ${kinds[n % kinds.length].repeat(2000 + n * 10)}: ${n}`;
const every = (call) => Promise.all(Array.from({ length: AT_ONCE }, (_, n) => call(n)));

test(`${AT_ONCE} check-ins at once, then ${AT_ONCE} reads, searches and tool calls of all of them`, async () => {
  const events = [];
  const claims = ClaimCheck.open({ store: slow(new MemoryStore()), onEvent: (event) => events.push(event) });
  const carried = await every((n) => claims.carry(scope(n), `tool ${n}`, content(n)));

  const cut = carried.filter(({ kind }) => kind === 'cut');
  assert.equal(cut.length, AT_ONCE / 25);
  assert.equal(events.filter(({ type }) => type === 'tool_result_stored').length, AT_ONCE - cut.length);
  for (const { rendered, error } of cut) {
    assert.match(rendered, /cut after \d+\. The rest was not kept\.\]$/);
    assert.equal(error.code, 'unavailable');
  }
  assert.equal(new Set(carried.map(({ ticket }) => ticket?.handle)).size, AT_ONCE - cut.length + 1);

  await every(async (n) => {
    const { ticket } = carried[n];
    if (ticket === undefined) return;
    const whole = claims.neutralise(content(n));
    const [window, finding, answer] = await Promise.all([
      claims.fetch(scope(n), ticket.handle, { maxChars: 1_000_000 }),
      claims.find(scope(n), ticket.handle, `: ${n}`),
      claims.answer(scope(n), 'fetch_result', { handle: ticket.handle, offset: ticket.chars - 20 }),
    ]);
    assert.equal(window.text, whole);
    assert.deepEqual(finding.matches.at(-1)?.offset, ticket.chars - `: ${n}`.length);
    assert.equal(answer.text, [...whole].slice(-20).join(''));
    const other = (n + 1) % AT_ONCE;
    await assert.rejects(claims.fetch(scope(other), ticket.handle), { code: 'claim-unavailable' });
  });
});

test('a store that calls the same claim check while it is being called', async () => {
  const inner = new MemoryStore();
  const store = {
    put: async (...args) => {
      assert.equal(claims.truncate('word '.repeat(100), 100).length <= 100, true);
      await inner.put(...args);
    },
    fetch: (...args) => inner.fetch(...args),
    forget: (...args) => inner.forget(...args),
  };
  const claims = ClaimCheck.open({ store });
  const outcomes = await every((n) => claims.checkIn(scope(n), 'tool', content(n)));
  assert.ok(outcomes.every(({ kind }) => kind === 'checked-in'));
});
