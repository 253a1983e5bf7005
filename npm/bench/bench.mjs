// What a check-in costs, over what else there is: the same rules in plain JavaScript, and deepagents' eviction. Ratios
// of one run; the absolute times are those of this machine in this minute. `node bench.mjs [ROUNDS]`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ToolMessage } from '@langchain/core/messages';
import { ClaimCheck } from 'claim-check';
import { createFilesystemMiddleware } from 'deepagents';
import * as plain from './plain.mjs';

const rounds = Number(process.argv[2] ?? 41);
const SCOPE = { tenant: 'tenant', run: '7a6b1c1e-8f0e-4c0d-9b43-0d0c5b1f3a55' };

let kept;
const store = { put: (_, __, claim) => void (kept = claim), fetch: () => kept, forget: () => 0 };
const claims = ClaimCheck.open({ store });
const { wrapToolCall } = createFilesystemMiddleware();
const version = (name) => JSON.parse(readFileSync(new URL(`./node_modules/${name}/package.json`, import.meta.url))).version;

const log = (n) => `2026-12-01T12:00:${String(n % 60).padStart(2, '0')}Z INFO request ${n} served in ${n % 97} ms, status 200\n`;
const repeated = (part, characters) => {
  let text = '';
  for (let n = 0; text.length < characters; n++) text += typeof part === 'function' ? part(n) : part;
  return text.slice(0, characters);
};
const INPUTS = {
  'a small result, 1 kB': repeated(log, 1_000),
  'a log, 10 kB': repeated(log, 10_000),
  'a log, 100 kB': repeated(log, 100_000),
  'a log, 1 MB': repeated(log, 1_000_000),
  'JSON on one line, 100 kB': JSON.stringify(Array.from({ length: 2_200 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }))),
  'French, 100,000 characters': repeated('Les conditions générales s’appliquent à l’été, où qu’on soit. ', 100_000),
  'Japanese, 100,000 characters': repeated('検索結果の一行目です。次の行も同じです。', 100_000),
  'a coloured log, 100 kB': repeated((n) => `\u001b[32mINFO\u001b[0m ${log(n)}`, 100_000),
};

const CONTENDERS = {
  'claim-check': (text) => claims.carry(SCOPE, 'read', text),
  'plain JavaScript': async (text) => {
    const made = plain.checkIn(SCOPE, text);
    if (made.handle !== undefined) await store.put(SCOPE, made.handle, made, 3600);
    return made;
  },
  // Stores the text, and shows five lines of its head and its tail: no hash, no scope, nothing made harmless.
  deepagents: (text) => {
    const message = new ToolMessage({ content: text, tool_call_id: 'call_1', name: 'read' });
    const request = { toolCall: { name: 'read', id: 'call_1', args: {} }, state: { files: {} }, runtime: {} };
    return wrapToolCall(request, async () => message);
  },
};

/** Microseconds of one call: the median of the rounds, in each of which every contender has its turn. */
async function timed(text) {
  const times = Object.fromEntries(Object.keys(CONTENDERS).map((name) => [name, []]));
  const calls = Math.max(1, Math.ceil(50_000 / text.length));
  for (let round = -5; round < rounds; round++) {
    for (const [name, call] of Object.entries(CONTENDERS)) {
      const started = performance.now();
      for (let n = 0; n < calls; n++) await call(text);
      if (round >= 0) times[name].push(((performance.now() - started) * 1000) / calls);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, all.sort((a, b) => a - b)[all.length >> 1]]));
}

/** The plain one does the same, or there is nothing to compare. */
async function assertSame(text) {
  const [carried, made] = [await claims.carry(SCOPE, 'read', text), plain.checkIn(SCOPE, text)];
  if (carried.kind !== 'checked-in') return assert.equal(carried.rendered, made.rendered);
  assert.deepEqual([carried.ticket.head, carried.ticket.chars, kept.pages], [made.head, made.chars, made.pages]);
}

console.log(`Node ${process.versions.node}, deepagents ${version('deepagents')}, ${rounds} rounds; times are a call's, as multiples of claim-check's\n`);
console.log(`${'input'.padEnd(30)}${'claim-check'.padStart(14)}${'plain JavaScript'.padStart(18)}${'deepagents'.padStart(12)}`);
for (const [name, text] of Object.entries(INPUTS)) {
  await assertSame(text);
  const times = await timed(text);
  const ours = times['claim-check'];
  const ratio = (name) => `${(times[name] / ours).toFixed(2)} x`;
  const evicts = text.length > 80_000 ? ratio('deepagents') : `(${ratio('deepagents')})`;
  console.log(`${name.padEnd(30)}${`1 = ${ours.toFixed(0)} µs`.padStart(14)}${ratio('plain JavaScript').padStart(18)}${evicts.padStart(12)}`);
}
console.log('\nIn brackets: deepagents leaves results of up to 80,000 UTF-16 units in the prompt, and does nothing.');
