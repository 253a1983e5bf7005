// Runs conformance vectors through a subject: `{ open, neutralise, truncate }`, as the package exports them. Without
// any API of one runtime, so that it runs in all of them.
//
// A file holds one kind of rule, an array of cases. What this runner does not know (a file, a field) and what it can't
// run is a failure, so that nothing is passed over in silence.

import { neutralise, truncate } from './boundary.mjs';
import { checkIn } from './check-ins.mjs';
import { short } from './check.mjs';
import { claim, finds, windows } from './reads.mjs';
import { scope } from './scopes.mjs';
import { policies, settings } from './settings.mjs';
import { fetchCall, fetchResult, findCall, findResult } from './tools.mjs';

/** A case each. */
const each = (run) => (subject, cases) => cases.map((value) => ({ value, run: () => run(subject, value) }));

/** Many cases to a document, of which one that can't be read is one case that fails. */
const documents = (part, runs) => (subject, cases) =>
  cases.flatMap((value) => {
    try {
      return runs(subject, value).map((run, nth) => ({ value: value[part][nth], run }));
    } catch (error) {
      return [{ value, run: () => Promise.reject(error) }];
    }
  });

/** The kinds of rules, in the order in which they run. Heads and tails are no functions of the package's API. */
export const KINDS = new Map([
  ['policies.json', each(policies)],
  ['settings.json', each(settings)],
  ['scopes.json', each(scope)],
  ['heads.json', undefined],
  ['tails.json', undefined],
  ['check_ins.json', each(checkIn)],
  ['claims.json', each(claim)],
  ['truncations.json', each(truncate)],
  ['windows.json', documents('reads', windows)],
  ['finds.json', documents('queries', finds)],
  ['neutralise.json', each(neutralise)],
  ['tool_calls.json', each(fetchCall)],
  ['find_calls.json', each(findCall)],
  ['tool_results.json', each(fetchResult)],
  ['find_results.json', each(findResult)],
]);

const SHOWN = 5;

/**
 * Runs files, as `{ name: cases }`, and prints what came of each, and of all. Returns how many passed and failed.
 */
export async function run(files, subject, through, print = console.log) {
  const total = { passed: 0, failed: 0 };
  for (const name of Object.keys(files).filter((name) => !KINDS.has(name))) {
    print(`${name}: no kind of vectors that this runner knows`);
    total.failed++;
  }
  for (const [name, casesOf] of KINDS) {
    const cases = files[name];
    if (cases === undefined) print(`${name}: not in this folder`);
    else if (casesOf === undefined) print(`${name}: native only, not run through the ${through}`);
    else if (!Array.isArray(cases)) {
      print(`${name}: no array of cases`);
      total.failed++;
    } else {
      const failures = [];
      let passed = 0;
      for (const [number, { value, run }] of casesOf(subject, cases).entries()) {
        try {
          await run();
          passed++;
        } catch (error) {
          failures.push(`case ${number} ${short(JSON.stringify(value) ?? '', 160)}: ${error.message}`);
        }
      }
      print(`${name}: ${passed} passed, ${failures.length} failed`);
      for (const failure of failures.slice(0, SHOWN)) print(`  ${failure}`);
      if (failures.length > SHOWN) print(`  … and ${failures.length - SHOWN} more`);
      total.passed += passed;
      total.failed += failures.length;
    }
  }
  if (Object.keys(files).length === 0) {
    print('no vectors in this folder');
    total.failed++;
  }
  print(`${total.passed} passed, ${total.failed} failed`);
  return total;
}
