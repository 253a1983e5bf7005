// claim-check/mcp: the same around a client, for who writes an agent.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { ClaimCheck, MemoryStore } from '../../dist/entry.default.js';
import { withClaimCheck } from '../../dist/mcp.js';
import { connect, KINDS } from './clients.mjs';
import { folder, handleIn, proxied, readAll, server } from './peers.mjs';

const files = folder();
const big = Array.from({ length: 20_000 }, (_, index) => `line ${index} 🏴`).join('\n');
writeFileSync(join(files, 'big.txt'), big);
writeFileSync(join(files, 'small.txt'), 'small');
const scope = { tenant: 't1', run: 'r1' };
const claimsOf = (options) => ClaimCheck.open({ store: new MemoryStore(), ...options });
const modern = [process.execPath, fileURLToPath(new URL('modern-server.mjs', import.meta.url))];

for (const kind of Object.keys(KINDS).filter((name) => name !== '2.x pinned')) {
  test(`${kind}: a large result becomes a ticket and is read back, by its own tenant alone`, async () => {
    const { client } = await connect(kind, server('filesystem', files));
    let tenant = 't1';
    const wrapped = withClaimCheck(client, { claims: claimsOf(), scope: () => ({ tenant, run: 'r' }) });
    const call = (name, args) => wrapped.callTool({ name, arguments: args });
    const { tools } = await wrapped.listTools();
    assert.deepEqual(
      tools.slice(-2).map(({ name }) => name),
      ['fetch_result', 'find_in_result'],
    );
    assert.equal(
      tools.some(({ outputSchema }) => outputSchema),
      false,
    );
    const result = await call('read_text_file', { path: join(files, 'big.txt') });
    assert.equal('structuredContent' in result, false);
    assert.ok(JSON.stringify(result).length < 1200);
    const [{ handle, chars, nextOffset }] = result._meta['claim-check/claims'];
    assert.deepEqual([handle, chars], [handleIn(result.content[0].text), [...big].length]);
    assert.ok(nextOffset > 0 && nextOffset <= 512);
    assert.equal(await readAll(call, handle), big);
    tenant = 't2';
    assert.equal((await call('fetch_result', { handle })).isError, true);
    // What is small is the very same.
    const small = await call('read_text_file', { path: join(files, 'small.txt') });
    assert.deepEqual(small.structuredContent, { content: 'small' });
    // The rest is the client's own.
    assert.deepEqual(wrapped.getServerVersion(), client.getServerVersion());
    assert.equal((await client.listTools()).tools.length, tools.length - 2);
  });
}

test('2026-07-28: what is replaced, and what is asked for, reach the client as they should', async () => {
  const { client } = await connect('2.x pinned', modern);
  const wrapped = withClaimCheck(client, { claims: claimsOf(), scope });
  const call = (name, args) => wrapped.callTool({ name, arguments: args });
  await wrapped.listTools();
  assert.equal((await call('table', { rows: 2 })).structuredContent.rows.length, 2);
  const large = await call('summary', { rows: 1000 });
  assert.deepEqual([large.content.length, 'structuredContent' in large], [2, false]);
  assert.match((await call('confirm', {})).content[0].text, /\[22000 characters/);
  const kept = withClaimCheck(client, { claims: claimsOf(), scope, keepsStructured: true });
  await kept.listTools();
  assert.equal((await kept.callTool({ name: 'table', arguments: { rows: 1000 } })).structuredContent.rows.length, 1000);
});

test('a store that fails: a cut text, and an event that says why', async () => {
  const { client } = await connect('1.x', server('filesystem', files));
  const events = [];
  const store = {
    put: () => Promise.reject(new Error('down')),
    fetch: () => {
      throw new Error('down');
    },
    forget: () => 0,
  };
  const wrapped = withClaimCheck(client, {
    claims: claimsOf({ store, onEvent: (event) => events.push(event) }),
    scope,
  });
  await wrapped.listTools();
  const { content } = await wrapped.callTool({ name: 'read_text_file', arguments: { path: join(files, 'big.txt') } });
  assert.match(content[0].text, /characters, cut after \d+\. The rest was not kept\.\]$/);
  assert.deepEqual(
    events.map(({ type, tool }) => [type, tool]),
    [['tool_result_cut', 'read_text_file']],
  );
});

test('set-ups in which handles would be dead ends are refused', async () => {
  const { client } = await connect('1.x', server('filesystem', files));
  const claims = claimsOf();
  const wrapped = withClaimCheck(client, { claims, scope });
  const read = { name: 'read_text_file', arguments: { path: join(files, 'small.txt') } };
  await assert.rejects(wrapped.callTool(read), {
    code: 'invalid-argument',
    message: /the model can't know fetch_result yet, so a handle would be a dead end/,
  });
  const offered = withClaimCheck(client, { claims, scope, offersTools: true });
  assert.equal((await offered.callTool(read)).content[0].text, 'small');
  assert.throws(() => withClaimCheck(wrapped, { claims, scope }), { message: /has a claim check already/ });
  assert.throws(() => withClaimCheck({}, { claims, scope }), { message: "the client has no method 'callTool'" });
  assert.throws(() => withClaimCheck(client, { claims: {}, scope }), { message: /claims must be a ClaimCheck/ });
  assert.throws(() => withClaimCheck(client, { claims }), { code: 'invalid-argument' });
  assert.throws(() => withClaimCheck(client, { claims, scope, tenant: 'x' }), { message: /has no 'tenant'/ });

  const behind = await connect('1.x', proxied(server('filesystem', files), ['--data', folder()]));
  const twice = withClaimCheck(behind.client, { claims, scope });
  await assert.rejects(twice.listTools(), {
    code: 'invalid-argument',
    message: /the server has a tool 'fetch_result', and no handle could be redeemed/,
  });
  const renamed = withClaimCheck(behind.client, { claims: claimsOf({ fetchTool: 'read_on', findTool: null }), scope });
  assert.equal((await renamed.listTools()).tools.at(-1).name, 'read_on');
});
