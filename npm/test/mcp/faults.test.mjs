// What goes wrong: a clear error, nobody left behind, nothing that hangs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { folder, handleIn, proxied, RawClient, readAll, scripted } from './peers.mjs';

const start = (options = ['--data', folder()], ...args) => new RawClient(scripted(options, ...args));

/** The server's process, as the proxy's only child. */
function childOf(client) {
  return Number(readFileSync(`/proc/${client.child.pid}/task/${client.child.pid}/children`, 'utf8').trim());
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function gone(pid) {
  for (let waited = 0; isAlive(pid); waited += 50) {
    assert.ok(waited < 10_000, `process ${pid} is left behind`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('the server’s exit code and its signal are ours', async () => {
  const died = start();
  await died.call('size', { chars: 1 });
  died.write('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"die"}}\n');
  assert.deepEqual(await died.exit, { code: 7, signal: null });
  const killed = start();
  killed.write('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"kill"}}\n');
  assert.deepEqual(await killed.exit, { code: null, signal: 'SIGKILL' });
});

test('the server dies in the middle of an answer: what came of it passes, and the session ends', async () => {
  const client = new RawClient(scripted(['--data', folder()]), { raw: true });
  client.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stop"}}\n');
  const chunks = [];
  for await (const chunk of client.child.stdout) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString(), '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te');
  assert.equal((await client.exit).code, 3);
});

test('the client ends its input: the server’s ends, what was asked is answered, all exit with 0', async () => {
  const client = start();
  client.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"size","arguments":{"chars":9000}}}\n');
  client.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fetch_result","arguments":{}}}\n');
  client.child.stdin.end();
  const answers = [JSON.parse(await client.next()), JSON.parse(await client.next())];
  assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2]);
  assert.deepEqual(await client.exit, { code: 0, signal: null });
});

test('a server that does not want to end is ended', { timeout: 20_000 }, async () => {
  const client = start(['--data', folder()], '--ignore-end');
  await client.call('size', { chars: 1 });
  const pid = childOf(client);
  assert.deepEqual(await client.end(), { code: null, signal: 'SIGKILL' });
  await gone(pid);
});

test('signals reach the server', async () => {
  const client = start();
  await client.call('size', { chars: 1 });
  const pid = childOf(client);
  client.child.kill('SIGTERM');
  assert.deepEqual(await client.exit, { code: null, signal: 'SIGTERM' });
  await gone(pid);
});

test('the client is killed: no process is left', { timeout: 30_000 }, async () => {
  // A client of its own: a shell that starts the proxy with a server that ignores the end, and is killed.
  const command = scripted(['--data', folder()], '--ignore-end')
    .map((part) => `'${part}'`)
    .join(' ');
  for (const [what, asked] of [
    ['idle', ''],
    ['waiting', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}'],
  ]) {
    const client = new RawClient([
      process.execPath,
      '-e',
      `
      const child = require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(`exec ${command}`)}], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.write('{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"size","arguments":{"chars":1}}}\\n' + ${JSON.stringify(asked)} + '\\n');
      child.stdout.once('data', () => console.log(child.pid));`,
    ]);
    const proxy = Number(await client.next());
    const server = Number(readFileSync(`/proc/${proxy}/task/${proxy}/children`, 'utf8').trim());
    assert.ok(isAlive(server), what);
    client.child.kill('SIGKILL');
    await Promise.all([gone(proxy), gone(server)]);
  }
});

test('a client that no longer reads ends the session', { timeout: 20_000 }, async () => {
  const client = start();
  await client.call('size', { chars: 1 });
  const pid = childOf(client);
  client.child.stdout.destroy();
  for (let id = 2; id < 40; id += 1)
    client.write(`{"jsonrpc":"2.0","id":${id},"method":"echo","params":{"line":"${'x'.repeat(10_000)}"}}\n`);
  await gone(pid);
  await client.exit;
});

test('a command that is not there, or may not be run', async () => {
  const missing = new RawClient(proxied(['no-such-command', 'x']));
  assert.deepEqual(
    [await missing.exit, missing.errors],
    [
      { code: 127, signal: null },
      'claim-check: there is no command "no-such-command" (or no folder to start it in): install it, or give its whole path after --\n',
    ],
  );
  const file = join(folder(), 'file');
  writeFileSync(file, 'x', { mode: 0o600 });
  const denied = new RawClient(proxied([file]));
  assert.equal((await denied.exit).code, 126);
  assert.match(denied.errors, /may not be run \(EACCES\): make it executable/);
});

test('a server that closes its output but lives on is ended', { timeout: 20_000 }, async () => {
  const client = new RawClient(proxied(['sh', '-c', 'exec >&-; exec sleep 60'], ['--data', folder()]));
  assert.deepEqual(await client.exit, { code: null, signal: 'SIGTERM' });
});

test('a client that reads slowly slows the server down, and fills no memory', { timeout: 120_000 }, async () => {
  const client = new RawClient(
    proxied(['sh', '-c', 'head -c 400000000 /dev/zero | tr "\\\\0" "x" | fold -w 1000000'], ['--data', folder()]),
    { raw: true },
  );
  await new Promise((resolve) => setTimeout(resolve, 2000));
  let received = 0;
  for await (const chunk of client.child.stdout) {
    if (received === 0) {
      const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${client.child.pid}/status`, 'utf8'))[1]) / 1024;
      assert.ok(peak < 200, `${peak} MiB`);
    }
    received += chunk.length;
  }
  assert.equal(received, 400_000_399);
});

test('garbage on either side passes, and the session goes on', async () => {
  const client = start();
  client.write('garbage\n{"jsonrpc":"2.0","id":\n\n[]\n');
  client.write(`{"method":"echo","params":{"line":${JSON.stringify('oops {"id":1')}}}\n`);
  assert.equal(String(await client.next()), 'oops {"id":1');
  assert.equal((await client.call('size', { chars: 3 })).content[0].text, 'xxx');
});

test(
  'a line of 100 MB: an honest cut, beyond what a claim can hold; 60 MB are kept whole',
  { timeout: 120_000 },
  async () => {
    const client = start();
    const {
      content: [cut],
    } = await client.call('size', { chars: 100_000_000 });
    assert.match(cut.text, /\[100000000 characters, cut after \d+\. The rest was not kept\.\]$/);
    assert.equal([...cut.text].length <= 8000, true);
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${client.child.pid}/status`, 'utf8'))[1]) / 1024;
    assert.ok(peak < 1024, `${peak} MiB`);
    const {
      content: [ticket],
    } = await client.call('size', { chars: 60_000_000, character: 'y' });
    const { content } = await client.call('fetch_result', { handle: handleIn(ticket.text), offset: 59_999_990 });
    assert.equal(content[0].text, 'y'.repeat(10));
    console.log(`# a line of 100 MB: ${Math.round(peak)} MiB at most`);
  },
);

test('a line of more than 256 MiB ends the session, and says why', { timeout: 120_000 }, async () => {
  const client = new RawClient(proxied(['sh', '-c', 'head -c 300000000 /dev/zero; sleep 5'], ['--data', folder()]));
  assert.equal((await client.exit).code, 1);
  assert.match(
    client.errors,
    /a line of the server is over 268435456 bytes, which is more than can be held: the session ends/,
  );
});

test('a data folder that can’t be used: results are cut, and the reason is said once', async () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  const client = start(['--data', file]);
  for (let round = 0; round < 2; round += 1) {
    assert.match(
      (await client.call('size', { chars: 9000 })).content[0].text,
      /\[9000 characters, cut after 79\d\d\. The rest was not kept\.\]$/,
    );
  }
  await client.end();
  assert.equal(client.errors.match(/a large result was cut/g).length, 1);
  assert.match(client.errors, /can't be used \(\w+\), so handles end with this session/);
});

test('the folder is deleted under it: what was there is refused, what comes is kept', async () => {
  const data = folder();
  const client = start(['--data', data]);
  const first = handleIn((await client.call('size', { chars: 9000 })).content[0].text);
  rmSync(data, { recursive: true });
  assert.equal((await client.call('fetch_result', { handle: first })).isError, true);
  const second = await client.call('size', { chars: 9001 });
  assert.equal(await readAll(client.call.bind(client), handleIn(second.content[0].text)), 'x'.repeat(9001));
});

test('the proxy is killed right after an answer: what it acknowledged is there', async () => {
  const options = ['--data', folder()];
  const first = start(options);
  const handle = handleIn((await first.call('size', { chars: 2_000_000, character: 'z' })).content[0].text);
  first.child.kill('SIGKILL');
  await first.exit;
  const second = start(options);
  assert.equal(await readAll(second.call.bind(second), handle, { from: 1_990_000 }), 'z'.repeat(10_000));
});

test('a full disk: cut, not lost without a word; what was acknowledged can still be read', async (context) => {
  const data = folder();
  mkdirSync(join(data, 'disk'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', join(data, 'disk')], { stdio: 'ignore' });
  } catch {
    context.skip('no file system can be mounted here');
    return;
  }
  try {
    const client = start(['--data', join(data, 'disk')]);
    const kept = handleIn((await client.call('size', { chars: 1_000_000 })).content[0].text);
    assert.match((await client.call('size', { chars: 3_000_000 })).content[0].text, /cut after/);
    assert.equal((await readAll(client.call.bind(client), kept, { from: 990_000 })).length, 10_000);
    await client.end();
    assert.match(client.errors, /is full \(ENOSPC\)/);
  } finally {
    execFileSync('umount', [join(data, 'disk')]);
  }
});
