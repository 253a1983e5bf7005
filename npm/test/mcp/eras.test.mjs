// The revision of 2026-07-28 and the ones before, structured content, and requests for input.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { connect, KINDS } from './clients.mjs';
import { folder, handleIn, proxied, readAll } from './peers.mjs';

const data = folder();
const direct = [process.execPath, fileURLToPath(new URL('modern-server.mjs', import.meta.url))];
const through = proxied(direct, ['--data', data]);
const rows = (count) => Array.from({ length: count }, (_, index) => ({ index, name: `row ${index}` }));

for (const kind of Object.keys(KINDS)) {
  test(`${kind}: structured results small and large, input, a list that changes`, { timeout: 60_000 }, async () => {
    const { client, call, notified } = await connect(kind, through);
    const names = async () =>
      (await client.listTools()).tools.map(({ name, outputSchema }) => `${name}${outputSchema ? '!' : ''}`);
    assert.deepEqual(await names(), ['table', 'summary', 'confirm', 'grow', 'fetch_result', 'find_in_result']);

    const small = await call('table', { rows: 2 });
    assert.deepEqual(small.structuredContent, { rows: rows(2) });

    const large = await call('table', { rows: 2000 });
    assert.equal('structuredContent' in large, false);
    assert.equal(large.content.length, 1);
    assert.equal(
      await readAll(call, handleIn(large.content[0].text)),
      JSON.stringify({ rows: rows(2000) }, undefined, 1),
    );

    const summary = await call('summary', { rows: 2000 });
    assert.equal('structuredContent' in summary, false);
    assert.equal(summary.content[0].text, '2000 rows');
    assert.equal(await readAll(call, handleIn(summary.content[1].text)), JSON.stringify({ rows: rows(2000) }));

    const confirmed = await call('confirm');
    assert.match(confirmed.content[0].text, /^confirmed\. .*\[22000 characters/s);

    const refused = await call('fetch_result', { handle: 'claim:0' });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0].text, /^Nothing can be read under this handle here\./);

    const grows = await call('grow');
    assert.equal(grows.content[0].text, 'grows');
    if (kind !== '2.x pinned' && kind !== '2.x auto') {
      while (notified.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(notified[0].method, 'notifications/tools/list_changed');
      assert.deepEqual((await names()).slice(4), ['grown', 'fetch_result', 'find_in_result']);
    }
  });
}

test('--structured keep leaves schemas, and what has structured content, as they are', async () => {
  const { client, call } = await connect('2.x pinned', proxied(direct, ['--data', data, '--structured', 'keep']));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name),
    ['table', 'summary'],
  );
  assert.deepEqual((await call('table', { rows: 2000 })).structuredContent, { rows: rows(2000) });
  assert.match((await call('confirm')).content[0].text, /\[22000 characters/);
});
