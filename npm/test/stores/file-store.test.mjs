// What FileStore promises beyond the rules of every store: the folder, the files in it, damage, and the sweep.
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { FileStore } from '../../dist/stores/file.js';
import { ManualClock } from '../../dist/stores/suite.js';
import { found, known, paths, TTL, traces } from './known.mjs';

const ALL = 0xffff_ffff;
const scope = { tenant: 'victim ☃', run: '../run' };
let parent;
let folder;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'claim-check-file-store-'));
  folder = join(parent, 'deep', 'store');
});
afterEach(() => rm(parent, { recursive: true }));

const put = (store, n, ttl = TTL) => store.put(scope, known(n).handle, known(n).claim, ttl);
const mode = async (path) => (await stat(path)).mode & 0o777;
/** The only file below the folder that has a claim. */
const onlyFile = async () => {
  const files = (await paths(folder)).filter((path) => path.split('/').length === 4);
  assert.equal(files.length, 1, files.join());
  return join(folder, files[0]);
};
const flip = async (path, at) => {
  const bytes = await readFile(path);
  bytes[at < 0 ? bytes.length + at : at] ^= 0x10;
  await writeFile(path, bytes);
};

test('folders are 0700 and files 0600, and names are hashes', async () => {
  const store = await FileStore.open(folder);
  await put(store, 1);
  const marker = 'claim-check-store';
  const rest = (await paths(folder)).filter((path) => path !== marker);
  assert.equal(await readFile(join(folder, marker), 'utf8'), 'claim-check file store, layout 1\n');
  assert.deepEqual(
    rest.map((path) => path.split('/').length),
    [1, 2, 3, 4],
  );
  assert.match(rest[3], /^[0-9a-f]{32}\/[0-9a-f]{32}\/[0-9a-f]{32}\/\d{16}\.000000\.[0-9a-f]{16}\.\d{12}$/);
  assert.equal(await mode(join(parent, 'deep')), 0o700);
  assert.equal(await mode(folder), 0o700);
  for (const path of rest.slice(0, 3)) assert.equal(await mode(join(folder, path)), 0o700);
  assert.deepEqual([await mode(join(folder, marker)), await mode(join(folder, rest[3]))], [0o600, 0o600]);
});

test('an empty folder and one of its own are narrowed to 0700', async () => {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  await put(await FileStore.open(folder), 1);
  assert.equal(await mode(folder), 0o700);
  await chmod(folder, 0o777);
  assert.equal(await found(await FileStore.open(folder), scope, 1), 'whole');
  assert.equal(await mode(folder), 0o700);
});

test('a folder of somebody else is refused and left as it is', async () => {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  // Names that a sweep would take for its own.
  const temporary = join(folder, 'gone.0000000000000000.0123456789abcdef');
  await mkdir(temporary);
  await writeFile(join(temporary, 'letter.txt'), 'Dear');
  await assert.rejects(FileStore.open(folder), {
    name: 'StoreError',
    code: 'failed',
    message: `${folder} holds files that are not this store's; name an empty folder, or one that is not there`,
  });
  assert.deepEqual(await paths(folder), [
    'gone.0000000000000000.0123456789abcdef',
    'gone.0000000000000000.0123456789abcdef/letter.txt',
  ]);
  assert.equal(await mode(folder), 0o755);
});

test('a folder of another layout, and a file, are refused', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'claim-check-store'), 'claim-check file store, layout 2\n');
  await assert.rejects(FileStore.open(folder), { code: 'failed', message: /is not a store of this version/ });
  assert.equal(await readFile(join(folder, 'claim-check-store'), 'utf8'), 'claim-check file store, layout 2\n');
  await writeFile(join(parent, 'file'), '');
  await assert.rejects(FileStore.open(join(parent, 'file')), { code: 'failed', message: /EEXIST|ENOTDIR/ });
});

test('a marker that a crash cut off does not keep the folder closed', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'claim-check-store.0123456789abcdef'), 'claim-che');
  await put(await FileStore.open(folder), 1);
  assert.equal(await found(await FileStore.open(folder), scope, 1), 'whole');
});

test('bounds that are none are refused', async () => {
  for (const tenantBytes of [0, -1, Number.NaN, '1']) {
    await assert.rejects(FileStore.open(folder, { tenantBytes }), { name: 'RangeError', message: /^tenantBytes is / });
  }
  await assert.rejects(FileStore.open(folder, { totalBytes: 0 }), {
    name: 'RangeError',
    message: /^totalBytes is 0; /,
  });
});

test('what can not be kept as it is is refused, and nothing is written', async () => {
  const store = await FileStore.open(folder);
  const { handle } = known(1);
  const broken = { manifest: 'm', pages: ['fine', 'half \ud83d'] };
  const message = 'page 1 is not well-formed Unicode; make it so, with toWellFormed() say, and put it again';
  await assert.rejects(store.put(scope, handle, broken, TTL), { code: 'failed', message });
  for (const ttl of [0, -1, 1.5, Number.NaN, 2 ** 32])
    await assert.rejects(put(store, 1, ttl), { code: 'failed', message: /^ttlSeconds is / });
  assert.deepEqual(await readdir(folder), ['claim-check-store']);
});

test('a scope in the place of an erasure does not forget the tenant', async () => {
  const store = await FileStore.open(folder);
  await put(store, 1);
  for (const what of [scope, {}, { run: 'run' }, { run: undefined }, { tenant: undefined, run: undefined }]) {
    await assert.rejects(store.forget(what), { code: 'failed', message: /^forget takes \{ tenant \} or/ });
  }
  assert.equal(await found(store, scope, 1), 'whole');
});

for (const [damage, hurt, message] of [
  ['a bit of a page is another', (file) => flip(file, -5), /page \d+ does not have its checksum/],
  ['a bit of the index is another', (file) => flip(file, 60), /its head does not have its checksum/],
  ['a bit of its size is another', (file) => flip(file, 13), /its head is not whole/],
  ['a bit of the first bytes is another', (file) => flip(file, 0), /first bytes are not those of a claim/],
  [
    'it is cut off in a page',
    async (file) => truncate(file, (await stat(file)).size - 1),
    /it has \d+ bytes in place of \d+/,
  ],
  ['it is cut off in the head', (file) => truncate(file, 40), /first bytes are not those of a claim/],
  ['it is empty', (file) => truncate(file, 0), /first bytes are not those of a claim/],
  ['something was added', async (file) => writeFile(file, 'more', { flag: 'a' }), /it has \d+ bytes in place of \d+/],
]) {
  test(`a damaged file is said to be damaged, and a put makes it whole: ${damage}`, async () => {
    const store = await FileStore.open(folder);
    await put(store, 5);
    await hurt(await onlyFile());
    await assert.rejects(store.fetch(scope, known(5).handle, 0, ALL), (error) => {
      assert.deepEqual([error.name, error.code], ['StoreError', 'failed']);
      assert.match(error.message, message);
      assert.ok(!error.message.includes('SECRET'));
      return true;
    });
    await put(store, 5, 60);
    assert.equal(await found(store, scope, 5), 'whole');
    // Healed under the later of the two expiries.
    assert.match(await onlyFile(), /\.000001\.[0-9a-f]{16}\.\d{12}$/);
    const later = await FileStore.open(folder, { now: () => Date.now() + 3_600_000 });
    assert.equal(await found(later, scope, 5), 'whole');
  });
}

test('the file of another claim is not served', async () => {
  const store = await FileStore.open(folder);
  await put(store, 1);
  const one = await onlyFile();
  const bytes = await readFile(one);
  await store.forget({ tenant: scope.tenant });
  await put(store, 2);
  await writeFile(await onlyFile(), bytes);
  await assert.rejects(store.fetch(scope, known(2).handle, 0, ALL), {
    code: 'failed',
    message: /it is the file of another claim/,
  });
});

test('a claim that is put again is not written again, and lives until the later instant', async () => {
  const store = await FileStore.open(folder);
  await put(store, 1, 60);
  const before = await stat(await onlyFile());
  await put(store, 1, 3600);
  await put(store, 1, 5);
  const after = await stat(await onlyFile());
  assert.equal(after.ino, before.ino);
  assert.equal(await found(await FileStore.open(folder, { now: () => Date.now() + 3_500_000 }), scope, 1), 'whole');
  assert.equal(await found(await FileStore.open(folder, { now: () => Date.now() + 3_600_001 }), scope, 1), 'nothing');
});

test('what a crashed writer and a crashed forget left is erased by a forget and by opening', async () => {
  const store = await FileStore.open(folder);
  await put(store, 1);
  const file = await onlyFile();
  await writeFile(join(file, '..', 'new.0000000000000000.0123456789abcdef.000000004096'), 'SECRET 77 ');
  await mkdir(join(folder, 'gone.0000000000000000.0123456789abcdef'));
  await rename(file, join(folder, 'gone.0000000000000000.0123456789abcdef', basename(file)));
  assert.deepEqual(await traces(folder), new Set([1, 77]));
  await FileStore.open(folder);
  assert.deepEqual(await traces(folder), new Set([77]));
  assert.equal(await store.forget({ tenant: scope.tenant }), 0);
  assert.deepEqual(await paths(folder), ['claim-check-store']);
});

test('puts sweep what has expired and what a crashed writer left, and keep what is young', async () => {
  const clock = new ManualClock();
  const store = await FileStore.open(folder, { now: clock.now });
  for (let n = 0; n < 40; n += 1) await put(store, n, 10);
  const claimFolder = join(
    folder,
    (await paths(folder)).find((path) => path.split('/').length === 3),
  );
  await writeFile(join(claimFolder, 'new.0000000000000000.0123456789abcdef.000000004096'), 'SECRET 777 ');
  const young = `new.${String(Date.now()).padStart(16, '0')}.0123456789abcdef.000000004096`;
  await writeFile(join(claimFolder, young), 'SECRET 778 ');
  clock.advance(10_000);
  for (let n = 100; n < 130; n += 1) await put(store, n, 10);
  const left = [...(await traces(folder))].sort((a, b) => a - b);
  assert.deepEqual(left, [...Array.from({ length: 30 }, (_, n) => 100 + n), 778]);
  clock.advance(10_000);
  assert.equal(await store.sweep(), 30);
  assert.equal(await store.sweep(), 0);
  assert.deepEqual(await traces(folder), new Set([778]));
});

test('many forgets at once count their own', async () => {
  const store = await FileStore.open(folder);
  const runs = Array.from({ length: 12 }, (_, n) => ({ tenant: 'victim', run: `run ${n}` }));
  for (const [n, run] of runs.entries())
    for (let m = 0; m <= n; m += 1) await store.put(run, known(m).handle, known(m).claim, TTL);
  const counts = await Promise.all(runs.map((run) => store.forget({ run })));
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.deepEqual(await paths(folder), ['claim-check-store']);
});

test('a folder that is taken away is reported, and not made anew', async () => {
  const store = await FileStore.open(folder);
  await rm(folder, { recursive: true });
  await assert.rejects(put(store, 1), {
    code: 'failed',
    message: `${folder} is not there any more (ENOENT); open the store again to make it anew`,
  });
  await assert.rejects(stat(folder), { code: 'ENOENT' });
});

test('a window of 64 MiB reads the head and its page alone', { skip: process.platform !== 'linux' }, async (t) => {
  const store = await FileStore.open(folder);
  const page = '0123456789abcdef'.repeat(1024);
  const claim = {
    manifest: 'm'.repeat(33 * 4096),
    pages: Array.from({ length: 4096 }, (_, n) => `${n}`.padEnd(5) + page.slice(5)),
  };
  await store.put(scope, known(1).handle, claim, TTL);
  const readBytes = async () => Number(/rchar: (\d+)/.exec(await readFile('/proc/self/io', 'utf8'))[1]);
  const before = await readBytes();
  const held = await store.fetch(scope, known(1).handle, 4000, 1);
  const bytes = (await readBytes()) - before;
  t.diagnostic(`${bytes} bytes read for one page of ${page.length} bytes`);
  assert.deepEqual(held, { manifest: claim.manifest, pages: [claim.pages[4000]] });
  assert.ok(bytes < 300_000, `${bytes} bytes were read`);
});
