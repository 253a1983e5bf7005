// What passes: everything, to the byte, but for what the proxy is there to change.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { folder, proxied, RawClient, scripted } from './peers.mjs';

const data = folder();
const start = (...args) => new RawClient(scripted(['--data', data], ...args));

function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** JSON as nobody would write it, with values that a parser would change. */
function randomValue(random, depth = 0) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const space = () => pick(['', '', ' ', '\t', '  ']);
  const scalar = () =>
    pick([
      '1.0',
      '1',
      '-0',
      '1e400',
      '12345678901234567890',
      '0.1000',
      'true',
      'null',
      '""',
      '"\\u0031"',
      '"\\ud800"',
      '"é🏴"',
      '"\\"}]{[\\\\"',
      '"\\\\\\\\"',
      '"claim:0123456789abcdef0123456789abcdef"',
      '"a\\/b"',
    ]);
  if (depth > 3 || random() < 0.4) return scalar();
  const items = Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth + 1));
  if (random() < 0.5) return `[${space()}${items.join(`${space()},${space()}`)}${space()}]`;
  const key = () => pick(['"a"', '"a"', '"id"', '"method"', '"\\u006det"', '"result"', '"text"', '"__proto__"']);
  return `{${space()}${items.map((item) => `${key()}${space()}:${space()}${item}`).join(`${space()},`)}}`;
}

function randomLine(random) {
  const kind = Math.floor(random() * 7);
  const value = () => randomValue(random);
  const id = () => (random() < 0.5 ? String(Math.floor(random() * 1e6)) : `"${Math.floor(random() * 1e6)}"`);
  if (kind === 0) return `{"jsonrpc":"2.0","method":"notifications/x","params":${value()}}`;
  if (kind === 1) return `{ "method" : "sampling/createMessage", "id":${id()}, "params":${value()},"jsonrpc":"2.0"}`;
  if (kind === 2) return `{"jsonrpc":"2.0","id":${id()},"result":${value()}}`;
  if (kind === 3) return `{"jsonrpc":"2.0","id":${id()},"error":{"code":-1,"message":"m","data":${value()}}}`;
  if (kind === 4) return value().replace(/^[[{]/, '$& ');
  if (kind === 5)
    return ['', 'not json', '{"a":', '[1,', '"', '{"id":1,,}', '\u0000', '}{', '{"method"}'][Math.floor(random() * 9)];
  return `[${Array.from({ length: 1 + Math.floor(random() * 3) }, () => `{"method":"n/m","params":${value()}}`).join(',')}]`;
}

test('10,000 random messages pass in each direction, whatever pieces they come in', { timeout: 300_000 }, async () => {
  const random = dice(20_261_201);
  const record = join(folder(), 'record');
  const client = start('--record', record);
  const lines = Array.from({ length: 10_000 }, () => randomLine(random));
  // Both ways: the line itself, then a request that makes the server say the next one.
  const asked = lines.map((line) => JSON.stringify({ method: 'echo', params: { line } }));
  const bytes = Buffer.from(
    lines
      .flatMap((line, index) => [line, asked[index]])
      .map((line) => `${line}\n`)
      .join(''),
  );
  const writing = (async () => {
    for (let at = 0; at < bytes.length;) {
      const size = 1 + Math.floor(random() ** 4 * 20_000);
      if (!client.write(bytes.subarray(at, at + size)))
        await new Promise((resolve) => client.child.stdin.once('drain', resolve));
      if (random() < 0.05) await new Promise(setImmediate);
      at += size;
    }
  })();
  for (const [index, line] of lines.entries()) assert.equal(String(await client.next()), line, `line ${index}`);
  await writing;
  await client.end();
  assert.equal(readFileSync(record, 'utf8'), bytes.toString());
});

test('bytes that are no text pass, and a last line without a line feed', async () => {
  const said = String.raw`printf '\377\376 x\r\n{}'`;
  const client = new RawClient(proxied(['sh', '-c', said], ['--data', data]), { raw: true });
  const chunks = [];
  for await (const chunk of client.child.stdout) chunks.push(chunk);
  assert.deepEqual(Buffer.concat(chunks), Buffer.from([0xff, 0xfe, 0x20, 0x78, 0x0d, 0x0a, 0x7b, 0x7d]));
});

test('a request of 30 MB reaches the server as it is', async () => {
  const record = join(folder(), 'record');
  const client = start('--record', record);
  const line = `{"jsonrpc":"2.0","method":"notifications/x","params":{"n":1.0,"text":"${'é'.repeat(15_000_000)}"}}\n`;
  client.write(line);
  await client.end();
  assert.ok(readFileSync(record, 'utf8') === line);
});

test('numbers, spaces, order and unknown members of an answer stay where only a text is replaced', async () => {
  const client = start();
  const text = 'w '.repeat(5000);
  const line = `{ "id" : $ID,"x":1.0, "result":{"_meta":{"n":12345678901234567890,"a":1},"content":[{"type":"image","data":"${'A'.repeat(20_000)}","mimeType":"image/png"}, {"annotations":{"priority":0.10}, "type":"text","text":"${text}","_meta":{"k":1.50}}],"isError":true,"extra":[1e2]},"jsonrpc":"2.0"}`;
  client.write(
    `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"say","arguments":{"line":${JSON.stringify(line)}}}}\n`,
  );
  const got = String(await client.next());
  const { result } = JSON.parse(got);
  const ticket = result.content[1].text;
  const { 'claim-check/claims': claims, 'claim-check/seal': seal } = result._meta;
  const metadata = `,"claim-check/claims":${JSON.stringify(claims)},"claim-check/seal":"${seal}"}`;
  const expected = line
    .replace('$ID', '"1"')
    .replace(JSON.stringify(text), () => JSON.stringify(ticket))
    .replace('"a":1}', () => `"a":1${metadata}`);
  assert.equal(got, expected);
  assert.deepEqual(claims, [{ handle: /claim:\w+/.exec(ticket)[0], chars: 10_000, nextOffset: 1499 }]);
});

test('a small answer, an error and a request for input pass as they are', async () => {
  const client = start();
  for (const line of [
    '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"small"}],"structuredContent":{"n":1.0}}}',
    `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32000,"message":"${'e'.repeat(50)}"}}`,
    `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}},"content":[{"type":"text","text":"${'i'.repeat(20_000)}"}]}}`,
  ]) {
    client.write(
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"say","arguments":{"line":${JSON.stringify(line)}}}}\n`,
    );
    assert.equal(String(await client.next()), line.replace('$ID', '7'));
  }
});

test('"1" and 1 are two ids, and a reused one hurts nobody', async () => {
  const client = start('--tools', '[{"name":"say","outputSchema":{"type":"object"}}]');
  const big = (id, length) =>
    JSON.stringify(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${'b'.repeat(length)}"}]}}`,
    );
  const call = (id, line) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"say","arguments":{"line":${line}}}}\n`;
  client.write(`{"jsonrpc":"2.0","id":"1","method":"ping"}\n${call('1', big('1', 9000))}`);
  assert.ok((await client.next()).length < 4000);
  // A list and a call under one id, and the call's answer first.
  client.write(call('5', '""') + '{"jsonrpc":"2.0","id":5,"method":"tools/list"}\n');
  await client.next();
  assert.doesNotMatch(String(await client.next()), /outputSchema/);
  client.write(call('6', big('6', 9001)) + call('6', big('6', 9002)));
  assert.ok((await client.next()).length < 4000);
  assert.ok((await client.next()).length < 4000);
});

test('a batch: our own calls are answered as a batch, the rest goes on, and each answer is looked at', async () => {
  const record = join(folder(), 'record');
  const client = start('--record', record);
  const line = `[{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"${'c'.repeat(9000)}"}]}}, {"jsonrpc":"2.0","method":"n","params":1.0}]`;
  client.write(
    `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_result","arguments":{}}}, {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say","arguments":{"line":${JSON.stringify(line)}}}} ]\n`,
  );
  const both = [JSON.parse(await client.next()), JSON.parse(await client.next())];
  const [own] = both.find((batch) => batch.length === 1);
  assert.equal(own.id, 1);
  assert.equal(own.result.isError, true);
  const [answer, notification] = both.find((batch) => batch.length === 2);
  assert.match(answer.result.content[0].text, /\[9000 characters, \d+ not shown/);
  assert.deepEqual(notification, { jsonrpc: '2.0', method: 'n', params: 1 });
  await client.end();
  const received = readFileSync(record, 'utf8');
  assert.doesNotMatch(received, /fetch_result/);
  assert.deepEqual(
    JSON.parse(received).map(({ id }) => id),
    [2],
  );
});
