// Both stores keep every rule, and the suite says what it could not try.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { FileStore } from '../../dist/stores/file.js';
import { MemoryStore } from '../../dist/stores/memory.js';
import { ManualClock, rules, run } from '../../dist/stores/suite.js';

const tenantBytes = 80 * 2 ** 20;

/** The rules of the Rust suite, `host-example/src/store/suite.rs`, in its order. */
const NAMES = [
  'content_comes_back_exactly',
  'all_or_nothing',
  'put_over_damaged_makes_whole',
  'pages_past_the_end_are_none',
  'page_ranges_are_exact',
  'large_claims_are_kept',
  'many_at_once_are_kept',
  'foreign_scopes_see_nothing',
  'scopes_are_not_joined',
  'runs_are_not_paths',
  'names_are_not_patterns',
  'case_matters',
  'two_handles_are_one_store',
  'forget_takes_one_run',
  'forget_takes_a_whole_tenant',
  'forget_counts_live_claims',
  'forget_of_nothing_counts_none',
  'forgotten_stays_forgotten',
  'put_after_forget_is_new',
  'expires_at_the_instant',
  'expires_at_the_later_of_two',
  'fetch_does_not_prolong',
  'put_after_expiry_is_new',
  'longest_ttl_is_kept',
  'full_is_refused_as_full',
  'full_loses_nothing',
  'refused_leaves_nothing',
  'refusals_hold_no_content',
  'expired_makes_room',
];

test('the rules are those of the Rust suite', () => {
  assert.deepEqual(
    rules.map((rule) => rule.name),
    NAMES,
  );
  assert.deepEqual(
    rules.filter((rule) => rule.needsBound).map((rule) => rule.name),
    NAMES.slice(-5),
  );
});

describe('MemoryStore', () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ now: clock.now, tenantBytes });
  const setup = { open: () => store, clock, tenantBytes };
  for (const rule of rules) test(rule.name, () => rule.check(setup));
  after(() => assert.equal(store.heldBytes, 0));
});

for (const durable of [true, false]) {
  describe(`FileStore, durable: ${durable}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'claim-check-suite-'));
    const clock = new ManualClock();
    const setup = { open: () => FileStore.open(folder, { now: clock.now, tenantBytes, durable }), clock, tenantBytes };
    for (const rule of rules) test(rule.name, () => rule.check(setup));
    after(() => rm(folder, { recursive: true }));
  });
}

test('a store without a clock and a bound is tried in real time, and the rest is said to be skipped', {
  timeout: 120_000,
}, async () => {
  const store = new MemoryStore();
  const results = await run({ open: () => store });
  const because = 'the setup declares no bound: give tenantBytes';
  const expected = NAMES.map((rule, n) => (n < 24 ? { rule, ok: true } : { rule, ok: false, skipped: because }));
  assert.deepEqual(results, expected);
  await assert.rejects(rules[24].check({ open: () => store }), { name: 'RuleBroken', message: because });
  assert.equal(rules[24].skipped({ open: () => store, tenantBytes }), undefined);
});

test('in real time, what expired makes room once the tenant was full', { timeout: 120_000 }, async () => {
  const store = new MemoryStore({ tenantBytes });
  await rules.find((rule) => rule.name === 'expired_makes_room').check({ open: () => store, tenantBytes });
  assert.equal(store.heldBytes, 0);
});
