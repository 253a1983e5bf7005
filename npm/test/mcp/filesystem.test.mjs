// The filesystem and memory servers: every tool has an output schema, and results can be as large as a file.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect } from './clients.mjs';
import { folder, handleIn, proxied, readAll, server } from './peers.mjs';

const data = folder();
const files = folder();
const direct = server('filesystem', files);
const through = proxied(direct, ['--data', data, '--window', '200000']);

const line = (index) => `${String(index).padStart(7)} é文🏴 ${'some words of a log '.repeat(3)}\n`;
const big = Array.from({ length: 160_000 }, (_, index) => line(index)).join('') + 'the last word';
const path = join(files, 'big.log');
writeFileSync(path, big);

test(
  'a file of over 12 MB kills a direct connection, and is read to its last character behind the proxy',
  { timeout: 300_000 },
  async () => {
    const bytes = Buffer.byteLength(big);
    assert.ok(bytes > 12e6);
    const without = await connect('1.x', direct);
    await assert.rejects(without.call('read_text_file', { path }), /Connection closed/);

    const first = await connect('1.x', through);
    await first.client.listTools();
    const result = await first.call('read_text_file', { path });
    const handle = handleIn(result.content[0].text);
    const carried = JSON.stringify(result).length;
    assert.ok(carried < 3000);
    assert.ok(result.content[0].text.endsWith('the last word'));
    // The client is started again in between, and is another one.
    await first.close();
    const second = await connect('2.x auto', through);
    await second.client.listTools();
    assert.equal(await readAll(second.call, handle), big);
    console.log(`# ${bytes} bytes: ${carried} characters carried, read back byte for byte`);
  },
);

test('a 2.x client: the same death, the same cure', { timeout: 120_000 }, async () => {
  const without = await connect('2.x', direct);
  await assert.rejects(without.call('read_text_file', { path }), /closed/i);
  const { client, call } = await connect('2.x', through);
  await client.listTools();
  const { content } = await call('read_text_file', { path });
  const {
    content: [window],
  } = await call('fetch_result', { handle: handleIn(content[0].text), offset: [...big].length - 13 });
  assert.equal(window.text, 'the last word');
});

test('small results, errors and other tools are what they were', async () => {
  writeFileSync(join(files, 'small.txt'), 'small\n');
  mkdirSync(join(files, 'sub'), { recursive: true });
  const [one, other] = [await connect('2.x', direct), await connect('2.x', through)];
  await Promise.all([one.client.listTools(), other.client.listTools()]);
  for (const [tool, args] of [
    ['read_text_file', { path: join(files, 'small.txt') }],
    ['list_directory', { path: files }],
    ['directory_tree', { path: files }],
    ['search_files', { path: files, pattern: '*.txt' }],
    ['read_text_file', { path: '/etc/passwd' }],
    ['read_text_file', { path: join(files, 'small.txt'), head: 'x' }],
    ['list_allowed_directories', {}],
  ]) {
    assert.deepEqual(await other.call(tool, args), await one.call(tool, args), tool);
  }
});

test('an image beside its copy in structured content passes as it is', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  writeFileSync(join(files, 'dot.png'), Buffer.concat([png, Buffer.alloc(30_000)]));
  const [one, other] = [await connect('2.x', direct), await connect('2.x', through)];
  const args = { path: join(files, 'dot.png') };
  assert.deepEqual(await other.call('read_media_file', args), await one.call('read_media_file', args));
});

test('the memory server: a graph that is said twice is kept once', async () => {
  const memory = ['env', `MEMORY_FILE_PATH=${join(files, 'memory.jsonl')}`, ...server('memory')];
  const { client, call } = await connect('1.x', proxied(memory, ['--data', data]));
  await client.listTools();
  const entities = Array.from({ length: 400 }, (_, index) => ({
    name: `e${index}`,
    entityType: 't',
    observations: [`seen ${index}`],
  }));
  const created = await call('create_entities', { entities });
  assert.equal('structuredContent' in created, false);
  assert.deepEqual(JSON.parse(await readAll(call, handleIn(created.content[0].text))), entities);
  const graph = await call('read_graph');
  assert.equal('structuredContent' in graph, false);
  assert.equal(graph.content.length, 1);
  assert.deepEqual(JSON.parse(await readAll(call, handleIn(graph.content[0].text))).entities, entities);
  const one = await call('open_nodes', { names: ['e7'] });
  assert.deepEqual(one.structuredContent.entities, [entities[7]]);
});

test('what lies in the data folder is its owner’s alone', () => {
  const list = spawn('find', [data, '-perm', '/077']);
  const found = [];
  list.stdout.on('data', (chunk) => found.push(chunk));
  return new Promise((resolve) => list.on('close', resolve)).then(() => {
    assert.equal(Buffer.concat(found).toString().replace(`${data}\n`, ''), '');
    assert.deepEqual(readdirSync(data).sort(), ['seal', 'servers', 'store']);
    for (const name of readdirSync(join(data, 'servers'))) {
      const { run } = JSON.parse(readFileSync(join(data, 'servers', name), 'utf8'));
      assert.match(run, /^[0-9a-f-]{36}$/);
    }
  });
});
