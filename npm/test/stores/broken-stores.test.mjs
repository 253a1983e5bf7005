// Each broken store is red on its one rule, and on no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ManualClock, rules, run } from '../../dist/stores/suite.js';
import { BOUND, FLAWS } from './broken-store.mjs';

for (const { name, rule, make } of FLAWS) {
  test(`a store that ${name} breaks ${rule} alone`, async (t) => {
    const clock = new ManualClock();
    const store = make(clock);
    const open = () => (name === 'shares nothing' ? make(clock) : store);
    const broken = (await run({ open, clock, tenantBytes: BOUND })).filter((result) => !result.ok);
    for (const { rule: which, error } of broken) t.diagnostic(`${which}: ${error.message}`);
    assert.deepEqual(
      broken.map((result) => [result.rule, result.error.name]),
      [[rule, 'RuleBroken']],
    );
  });
}

test('every rule has a store that breaks it', () => {
  assert.deepEqual(new Set(FLAWS.map((flaw) => flaw.rule)), new Set(rules.map((rule) => rule.name)));
});
