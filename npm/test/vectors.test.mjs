// The vectors of the repository pass, and the runner is as strict as it says: a change to any case is noticed.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KINDS, run } from './vectors/run.mjs';
import { SUBJECTS } from './vectors/subjects.mjs';

const FOLDER = new URL('../../tests/vectors/', import.meta.url);
const SUBJECT = await SUBJECTS.core();
const files = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))]),
);

async function silently(files, subject = SUBJECT, through = 'core') {
  const lines = [];
  return { ...(await run(files, subject, through, (line) => lines.push(line))), lines };
}

for (const [through, subject] of Object.entries(SUBJECTS)) {
  test(`every vector that can be run through the ${through} passes`, async () => {
    const { passed, failed, lines } = await silently(files, await subject(), through);
    assert.equal(failed, 0, lines.join('\n'));
    assert.equal(passed, 1847);
  });
}

test('heads and tails are named as not run', async () => {
  const { lines } = await silently({ 'heads.json': files['heads.json'], 'tails.json': files['tails.json'] });
  assert.ok(lines.includes('heads.json: native only, not run through the core'));
  assert.equal(lines.at(-1), '0 passed, 0 failed');
});

test('a file or a folder that it does not know fails', async () => {
  assert.equal((await silently({ 'heads.jsn': [] })).failed, 1);
  assert.equal((await silently({})).failed, 1);
  assert.equal((await silently({ 'windows.json': {} })).failed, 1);
});

/** The first case of a file that `change` makes another, alone. */
function changed(name, change) {
  const value = structuredClone(files[name].find((value) => change(structuredClone(value)) !== false));
  change(value);
  return { [name]: [value] };
}

for (const name of [...KINDS.keys()].filter((name) => KINDS.get(name) !== undefined)) {
  test(`${name}: an unknown field fails`, async () => {
    const { passed, failed } = await silently(changed(name, (value) => void (value.surprise = 1)));
    assert.deepEqual({ passed, failed }, { passed: 0, failed: 1 });
  });

  test(`${name}: a missing field fails`, async () => {
    const last = Object.keys(files[name][0]).at(-1);
    const { failed } = await silently(changed(name, (value) => void delete value[last]));
    assert.equal(failed, 1);
  });
}

const LIES = {
  'policies.json': (value) => (value.error ? false : (value.error = 'ttl')),
  'settings.json': (value) => (value.error ? false : (value.error = ['zero-ttl', null])),
  'scopes.json': (value) => void (value.valid = !value.valid),
  'check_ins.json': (value) => (value.ticket ? (value.ticket.next_offset += 1) : false),
  'claims.json': (value) => void (value.verdict = value.verdict === 'ok' ? 'damaged' : 'ok'),
  'truncations.json': (value) => (value.result === null ? false : (value.result += ' ')),
  'windows.json': (value) => {
    value.reads = [value.reads.find((read) => read.next_offset)].map((read) => ({ ...read, next_offset: read.next_offset + 1 }));
  },
  'finds.json': (value) => {
    value.queries = [value.queries.find((query) => query.offsets?.length)].map((query) => ({ ...query, offsets: [] }));
  },
  'neutralise.json': (value) => (value.result === null ? (value.result = value.text) && undefined : false),
  'tool_calls.json': (value) => (value.offset === null ? false : (value.offset += 1)),
  'find_calls.json': (value) => (value.text === null ? false : (value.text = `${value.text}y`)),
  'tool_results.json': (value) => void (value.text_sha256 = value.text_sha256.replace(/./, 'g')),
  'find_results.json': (value) => void (value.note += ' '),
};

for (const [name, lie] of Object.entries(LIES)) {
  test(`${name}: a wrong value fails`, async () => {
    const { passed, failed } = await silently(changed(name, lie));
    assert.deepEqual({ passed, failed }, { passed: 0, failed: 1 });
  });
}
