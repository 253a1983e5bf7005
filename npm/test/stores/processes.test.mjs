// Several processes on one folder, some of which are killed.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { FileStore } from '../../dist/stores/file.js';
import { dice, pause, start } from './children.mjs';
import { found, known, traces } from './known.mjs';

const ROUNDS = Number(process.env.CLAIM_CHECK_KILLS ?? 50);
const scope = (n) => ({ tenant: 'victim', run: `run ${n % 5}` });
let folder;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claim-check-processes-'));
});
afterEach(() => rm(folder, { recursive: true }));

test(`a writer is killed ${ROUNDS} times: what it acknowledged is whole, and nothing is partial`, async (t) => {
  const roll = dice(20_261_201);
  const acknowledged = new Set();
  let [redeemed, partial, unsaid] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = round * 10_000;
    const writer = start('put', folder, from);
    while (writer.said.length === 0) await pause(1);
    await pause(roll() * 60);
    writer.kill();
    assert.deepEqual(await writer.ended, [null, 'SIGKILL']);
    const store = await FileStore.open(folder);
    const said = writer.said.map(([, n]) => n);
    // Four more may have been done and not said, and four begun.
    const last = Math.max(...said);
    for (let n = from; n <= last + 8; n += 1) {
      const held = await found(store, scope(n), n);
      if (!['whole', 'nothing'].includes(held)) partial += 1;
      if (said.includes(n)) {
        acknowledged.add(n);
        redeemed += Number(held === 'whole');
      } else if (held === 'whole') unsaid += 1;
    }
  }
  const store = await FileStore.open(folder);
  let again = 0;
  for (const n of acknowledged) again += Number((await found(store, scope(n), n)) === 'whole');
  const temporary = (await readdir(folder, { recursive: true })).filter((path) => path.includes('/new.')).length;
  t.diagnostic(
    `acknowledged ${acknowledged.size}, redeemed ${redeemed}, partial ${partial}; whole and not said ${unsaid}; ` +
      `at the end redeemed ${again}; temporary files left ${temporary}`,
  );
  assert.ok(acknowledged.size >= ROUNDS);
  assert.deepEqual([redeemed, partial, again], [acknowledged.size, 0, acknowledged.size]);
  assert.equal(await store.forget({ tenant: 'victim' }), acknowledged.size + unsaid);
  assert.deepEqual(await readdir(folder), ['claim-check-store']);
});

test('two processes put the same claims at once: each is whole, and the later expiry counts', async (t) => {
  const span = 150;
  const [short, long] = [start('span', folder, 0, span, 3600), start('span', folder, 0, span, 7200)];
  const reader = await FileStore.open(folder);
  let reads = 0;
  const ends = Promise.all([short.ended, long.ended]);
  let isOver = false;
  ends.then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (let n = 0; n < span; n += 7) {
      assert.ok(['whole', 'nothing'].includes(await found(reader, scope(n), n)));
      reads += 1;
    }
  }
  assert.deepEqual(await ends, [
    [0, null],
    [0, null],
  ]);
  const all = Array.from({ length: span }, (_, n) => ['whole', n]);
  assert.deepEqual([short.said, long.said], [all, all]);
  const later = await FileStore.open(folder, { now: () => Date.now() + 3700 * 1000 });
  for (let n = 0; n < span; n += 1) assert.equal(await found(later, scope(n), n), 'whole', `claim ${n}`);
  t.diagnostic(`${span} claims put by both, ${reads} reads meanwhile`);
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.split('/').length === 4);
  assert.equal(files.length, span);
  assert.equal(await reader.forget({ tenant: 'victim' }), span);
});

test('what was acknowledged before a forget is gone after it, though two writers go on', async (t) => {
  const writers = [start('put', folder, 0, 25), start('put', folder, 1_000_000, 25)];
  while (writers.some((writer) => writer.said.length < 4)) await pause(1);
  const store = await FileStore.open(folder);
  const roll = dice(7);
  assert.ok((await traces(folder)).has(writers[0].said[0][1]));
  let [checked, counted] = [0, 0];
  for (let round = 0; round < 60; round += 1) {
    await pause(roll() * 40);
    if (round === 45) {
      writers[0].kill();
      await writers[0].ended;
    }
    const acknowledged = writers.flatMap(({ said }) => said.splice(0).map(([, n]) => n));
    counted += await store.forget({ tenant: 'victim' });
    // They stand still in the middle of whatever they do, or they would write faster than it can be searched.
    for (const writer of writers) writer.kill('SIGSTOP');
    for (const n of acknowledged) assert.equal(await found(store, scope(n), n), 'nothing', `claim ${n}`);
    const left = await traces(folder);
    assert.deepEqual(
      acknowledged.filter((n) => left.has(n)),
      [],
    );
    checked += acknowledged.length;
    for (const writer of writers) writer.kill('SIGCONT');
  }
  writers[1].kill();
  await writers[1].ended;
  const temporary = (await readdir(folder, { recursive: true })).filter((path) => path.includes('/new.')).length;
  counted += await store.forget({ tenant: 'victim' });
  t.diagnostic(
    `${checked} acknowledged before one of 61 forgets, ${counted} counted; ${temporary} temporary files at the end`,
  );
  assert.ok(checked > 0 && counted >= checked);
  assert.deepEqual(await traces(folder), new Set());
  assert.deepEqual(await readdir(folder), ['claim-check-store']);
});

test('a run is forgotten under fire, and the other runs stay', async () => {
  const writer = start('put', folder, 0);
  while (writer.said.length < 20) await pause(1);
  const store = await FileStore.open(folder);
  const acknowledged = writer.said.map(([, n]) => n);
  await store.forget({ run: scope(3) });
  for (const n of acknowledged) {
    assert.equal(await found(store, scope(n), n), n % 5 === 3 ? 'nothing' : 'whole', `claim ${n}`);
  }
  writer.kill();
  await writer.ended;
});

test('two processes do not exceed a bound together', async (t) => {
  const bound = 3 * 2 ** 20;
  const fillers = [start('fill', folder, 0, 60, bound), start('fill', folder, 1000, 1060, bound)];
  assert.deepEqual(await Promise.all(fillers.map(({ ended }) => ended)), [
    [0, null],
    [0, null],
  ]);
  const outcomes = fillers.flatMap(({ said }) => said);
  const put = outcomes.filter(([word]) => word === 'put').map(([, n]) => n);
  const full = outcomes.filter(([word]) => word === 'full').length;
  assert.deepEqual([outcomes.length, put.length + full], [120, 120]);
  const store = await FileStore.open(folder);
  const sizes = put.map((n) => known(n).claim.pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${put.length} put, ${full} refused; ${bytes} bytes of content under a bound of ${bound}`);
  assert.ok(full > 0 && bytes <= bound && bytes > bound * 0.7);
  for (const n of put) assert.equal(await found(store, scope(n), n), 'whole');
  assert.equal(await store.forget({ tenant: 'victim' }), put.length);
});

test('a process that has put a claim ends by itself', async () => {
  const began = performance.now();
  const child = start('once', folder);
  assert.deepEqual(await child.ended, [0, null]);
  assert.deepEqual(child.said, [['put', 1]]);
  assert.ok(performance.now() - began < 10_000);
  assert.equal(await found(await FileStore.open(folder), scope(1), 1), 'whole');
});
