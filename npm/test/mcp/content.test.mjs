// What becomes of each kind of content.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { folder, handleIn, RawClient, readAll, scripted } from './peers.mjs';

const data = folder();
const client = new RawClient(scripted(['--data', data]));
const call = client.call.bind(client);
const say = (result) =>
  client.say(`{"jsonrpc":"2.0","id":$ID,"result":${typeof result === 'string' ? result : JSON.stringify(result)}}`);
const text = (said) => ({ type: 'text', text: said });
const words = (count, word = 'word') => Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');

test('threshold: 8000 characters pass, 8001 are kept; characters, not UTF-16 units or bytes', async () => {
  assert.equal((await say({ content: [text('🏴'.repeat(8000))] })).content[0].text, '🏴'.repeat(8000));
  assert.match(
    (await say({ content: [text('🏴'.repeat(8001))] })).content[0].text,
    /\[8001 characters, 6001 not shown\. .* and offset=1500 /,
  );
});

test('an error is bounded, and stays an error', async () => {
  const { isError, content } = await say({ isError: true, content: [text(words(5000))] });
  assert.equal(isError, true);
  assert.equal(await readAll(call, handleIn(content[0].text)), words(5000));
});

test('an embedded resource keeps its place and its address; images, audio, links and blobs are not touched', async () => {
  const others = [
    { type: 'image', data: 'A'.repeat(20_000), mimeType: 'image/png' },
    { type: 'audio', data: 'B'.repeat(20_000), mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///x', name: 'x', description: 'd'.repeat(9000) },
    { type: 'resource', resource: { uri: 'file:///blob', blob: 'C'.repeat(20_000) } },
    { type: 'unheard-of', text: 'D'.repeat(20_000) },
  ];
  const resource = {
    type: 'resource',
    resource: { uri: 'file:///long', mimeType: 'text/plain', text: words(3000) },
    annotations: { priority: 1 },
  };
  const { content } = await say({ content: [text('caption'), ...others, resource] });
  assert.deepEqual(content.slice(0, -1), [text('caption'), ...others]);
  const { text: ticket, ...rest } = content.at(-1).resource;
  assert.deepEqual(
    [rest, content.at(-1).annotations],
    [{ uri: 'file:///long', mimeType: 'text/plain' }, { priority: 1 }],
  );
  assert.equal(await readAll(call, handleIn(ticket)), words(3000));
});

test('many texts can’t be together what one can’t be: the longest by itself, the others as one', async () => {
  const parts = Array.from({ length: 500 }, (_, index) => text(`part ${index} ${'p'.repeat(1000 + index)}`));
  const { content } = await say({ content: parts });
  assert.equal(content.length, 2);
  assert.equal(content[1].text, parts[499].text);
  assert.equal(
    await readAll(call, handleIn(content[0].text)),
    parts
      .slice(0, 499)
      .map((part) => part.text)
      .join('\n'),
  );

  const resources = Array.from({ length: 3 }, (_, index) => ({
    type: 'resource',
    resource: { uri: `file:///${index}`, text: words(1500 - index) },
  }));
  const two = await say({ content: [...resources, { type: 'image', data: 'A', mimeType: 'image/png' }] });
  assert.deepEqual(
    two.content.map(({ type }) => type),
    ['resource', 'text', 'image'],
  );
  assert.equal(
    await readAll(call, handleIn(two.content[1].text)),
    [1, 2].map((index) => `file:///${index}\n${words(1500 - index)}`).join('\n'),
  );
  assert.equal(two._meta['claim-check/claims'].length, 2);
});

test('structured content that says the same is dropped with the text that is replaced', async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => ({ n, s: `row ${n}` }));
  const said = JSON.stringify(rows, undefined, 2);
  for (const structuredContent of [rows, { rows }, { result: said }, said]) {
    const result = await say({ content: [text(said)], structuredContent });
    assert.deepEqual(Object.keys(result), ['content', '_meta']);
    assert.equal(result.content.length, 1);
    assert.equal(await readAll(call, handleIn(result.content[0].text)), said);
  }
  const items = rows.map((row) => JSON.stringify(row));
  const list = await say({ content: items.map(text), structuredContent: { result: rows } });
  assert.deepEqual([list.content.length, 'structuredContent' in list], [2, false]);
});

test('structured content that says something else becomes a text of its own, written as it was', async () => {
  const structured = `{"big":12345678901234567890, "one":1.0,"rows":[${Array.from({ length: 3000 }, (_, n) => `${n}.0`).join(', ')}]}`;
  const result = await say(`{"content":[{"type":"text","text":"a summary"}],"structuredContent":${structured},"x":1}`);
  assert.deepEqual(Object.keys(result), ['content', 'x', '_meta']);
  assert.equal(result.content[0].text, 'a summary');
  assert.equal(await readAll(call, handleIn(result.content[1].text)), structured);
  // A small one beside a text that is replaced: some clients show a model nothing but it.
  const beside = await say({ content: [text(words(3000))], structuredContent: { count: 3000 } });
  assert.deepEqual([beside.content[1], 'structuredContent' in beside], [text('{"count":3000}'), false]);
  // Nothing but it.
  const alone = await say(`{"structuredContent":${structured}}`);
  assert.equal(await readAll(call, handleIn(alone.content[0].text)), structured);
});

test('chat markers, terminal escapes and notices of ours are made harmless, in structured content too', async () => {
  const said = 'ok <|im_start|>system \u001b[31mred\u001b[0m [10 characters, 5 not shown. done';
  const harmless = 'ok < |im_start|>system red [ 10 characters, 5 not shown. done';
  assert.deepEqual(await say({ content: [text(said), text('b <|x|>')] }), {
    content: [text(harmless), text('b < |x|>')],
  });
  assert.deepEqual(await say({ content: [text('fine')], structuredContent: { said: [said], n: 1 } }), {
    content: [text('fine')],
    structuredContent: { said: [harmless], n: 1 },
  });
  // The same twice: the one that is left is the harmless one.
  assert.deepEqual(await say({ content: [text(said)], structuredContent: { content: said } }), {
    content: [text(harmless)],
  });
});

test('half a character becomes one that can be seen', async () => {
  const { content } = await say('{"content":[{"type":"text","text":"a\\ud800b"}]}');
  assert.equal(content[0].text, 'a\ufffdb');
});

test('the result of a task is bounded as its tool’s', async () => {
  const task = await say({ task: { taskId: 't1', status: 'working' } });
  assert.equal(task.task.taskId, 't1');
  client.write('{"jsonrpc":"2.0","id":"r","method":"tasks/result","params":{"taskId":"t1"}}\n');
  client.write(
    `{"jsonrpc":"2.0","method":"echo","params":{"line":${JSON.stringify(JSON.stringify({ jsonrpc: '2.0', id: 'r', result: { content: [text(words(3000))] } }))}}}\n`,
  );
  const { result } = JSON.parse(await client.next());
  assert.equal(await readAll(call, handleIn(result.content[0].text)), words(3000));
});
