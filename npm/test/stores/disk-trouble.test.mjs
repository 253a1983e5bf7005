// Full, denied, read-only, out of descriptors: what each comes to, and what the operator is told.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { storeError } from '../../dist/stores/file/errors.js';
import { FileStore } from '../../dist/stores/file.js';
import { ManualClock } from '../../dist/stores/suite.js';
import { found, known, paths, traces, TTL } from './known.mjs';

const execute = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('trouble.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;
const scope = { tenant: 'victim', run: 'run' };
let folder;
let mount;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claim-check-trouble-'));
  await chmod(folder, 0o755);
  if (!isRoot) return;
  mount = await mkdtemp(join(tmpdir(), 'claim-check-tmpfs-'));
  const options = ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'tmpfs', mount];
  await execute('mount', options).catch((error) => {
    console.log(`NOT TESTED: full and read-only disks, since no tmpfs can be mounted here (${error.message.trim()})`);
    mount = undefined;
  });
});
after(async () => {
  if (mount) {
    await execute('umount', [mount]);
    await rm(mount, { recursive: true });
  }
  await rm(folder, { recursive: true });
});

const needsRoot = { skip: isRoot ? false : 'NOT TESTED: only root can mount a disk or become another user' };
const ask = async (trouble, path, shell) => {
  const command = shell ? ['sh', ['-c', `${shell}; exec "$0" "$@"`, process.execPath]] : [process.execPath, []];
  const { stdout } = await execute(command[0], [...command[1], PROGRAM, trouble, path]);
  return JSON.parse(stdout);
};

test('each error of the file system comes to one code', () => {
  const codes = {
    full: ['ENOSPC', 'EDQUOT', 'EFBIG', 'EMLINK'],
    unavailable: ['EMFILE', 'ENFILE', 'EBUSY', 'EAGAIN', 'EINTR', 'ENOMEM', 'ESTALE', 'ETIMEDOUT'],
    failed: ['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'],
  };
  for (const [code, causes] of Object.entries(codes)) {
    for (const cause of causes) {
      const error = storeError('/store', Object.assign(new Error('CONTENT'), { code: cause }));
      assert.deepEqual([error.name, error.code, error.message.includes(cause)], ['StoreError', code, true]);
      assert.match(error.message, /; /, 'says what to do');
      assert.doesNotMatch(error.message, /CONTENT/);
    }
  }
  const mistake = new TypeError('ours');
  assert.equal(storeError('/store', mistake), mistake);
});

test('a full disk refuses as full, keeps what it has, and sweeps for what comes', needsRoot, async (t) => {
  if (!mount) return t.skip('NOT TESTED: no tmpfs');
  const clock = new ManualClock();
  const path = join(mount, 'store');
  const store = await FileStore.open(path, { now: clock.now });
  const put = (n, ttl) => store.put(scope, known(n).handle, known(n).claim, ttl);
  const kept = [];
  const refusals = [];
  for (let n = 0; refusals.length === 0; n += 1)
    await put(n, 60).then(
      () => kept.push(n),
      (error) => refusals.push(error),
    );
  assert.deepEqual([refusals[0].name, refusals[0].code], ['StoreError', 'full']);
  assert.equal(
    refusals[0].message,
    `the disk or the quota under ${path} is full (ENOSPC); free space on it, then try again`,
  );
  t.diagnostic(`${kept.length} claims in 2 MiB, then ${refusals[0].code}`);
  assert.ok(kept.length > 10);
  for (const n of kept) assert.equal(await found(store, scope, n), 'whole');
  assert.deepEqual(
    [...(await traces(path))].sort((a, b) => a - b),
    kept,
  );
  assert.deepEqual(
    (await paths(path)).filter((name) => name.includes('/new.')),
    [],
  );
  clock.advance(60_000);
  await put(1000, 60);
  assert.equal(await found(store, scope, 1000), 'whole');
  assert.equal(await store.forget({ tenant: scope.tenant }), 1);
  assert.deepEqual(await readdir(path), ['claim-check-store']);
});

test('a disk that is mounted read-only fails to put and forget, and serves', needsRoot, async (t) => {
  if (!mount) return t.skip('NOT TESTED: no tmpfs');
  const path = join(mount, 'read-only');
  const store = await FileStore.open(path);
  await store.put(scope, known(1).handle, known(1).claim, TTL);
  await execute('mount', ['-o', 'remount,ro', mount]);
  try {
    const said = await ask('read-only', path);
    const message = `${path} can't be read or written (EROFS); make it this user's own, on a disk that is mounted writable`;
    assert.deepEqual(said.open, ['done', null]);
    assert.deepEqual(said.fetch, ['done', known(1).claim.manifest]);
    await assert.rejects(store.put(scope, known(2).handle, known(2).claim, TTL), { code: 'failed', message });
    await assert.rejects(store.forget({ tenant: scope.tenant }), { code: 'failed', message });
    assert.equal(await found(store, scope, 1), 'whole');
  } finally {
    await execute('mount', ['-o', 'remount,rw', mount]);
  }
});

test('another user is denied', needsRoot, async () => {
  const path = join(folder, 'denied');
  await FileStore.open(path);
  const [code, message] = (await ask('stranger', path)).open;
  assert.deepEqual(
    [code, message],
    [
      'failed',
      `${path} can't be read or written (EACCES); make it this user's own, on a disk that is mounted writable`,
    ],
  );
});

test('a process that is out of descriptors is told to try again', { skip: process.platform === 'win32' }, async () => {
  const path = join(folder, 'no-files');
  const store = await FileStore.open(path);
  await store.put(scope, known(1).handle, known(1).claim, TTL);
  const said = await ask('no-files', path, 'ulimit -n 60');
  const text = `the system could not serve ${path} now (EMFILE); try again, and with EMFILE raise the limit of open files`;
  assert.deepEqual(
    [said.put, said.fetch],
    [
      ['unavailable', text],
      ['unavailable', text],
    ],
  );
  assert.equal(await found(store, scope, 1), 'whole');
});
