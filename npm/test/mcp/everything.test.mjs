// The everything server, direct and through the proxy: a client must see no difference but the one that it asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect } from './clients.mjs';
import { folder, handleIn, proxied, readAll, server } from './peers.mjs';

const data = folder();
const direct = server('everything', 'stdio');
const through = proxied(direct, ['--data', data]);

async function until(condition) {
  for (let waited = 0; !condition(); waited += 20) {
    assert.ok(waited < 20_000, 'nothing came');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Everything that the server can do, and what the client saw of it. */
async function seen({ client, call, notified }) {
  const outcome = {};
  outcome.info = [client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()];
  // Tools that need the client's capabilities are added later, and the list's change is told.
  await until(() => notified.some(({ method }) => method.endsWith('list_changed')));
  outcome.tools = (await client.listTools()).tools;
  outcome.echo = await call('echo', { message: 'héllo 🏴' });
  const progress = [];
  const long = { duration: 0.4, steps: 4 };
  outcome.long = await call('trigger-long-running-operation', long, { onprogress: (one) => progress.push(one) });
  // The last one races with the result, inside the client.
  outcome.progress = progress.slice(0, 3);
  const abort = new AbortController();
  const aborted = call(
    'trigger-long-running-operation',
    { duration: 5, steps: 50 },
    { signal: abort.signal, onprogress: () => abort.abort() },
  );
  outcome.aborted = await aborted.then(
    () => 'finished',
    () => 'aborted',
  );
  outcome.sampling = await call('trigger-sampling-request', { prompt: 'p', maxTokens: 10 });
  outcome.elicitation = await call('trigger-elicitation-request');
  outcome.roots = await call('get-roots-list');
  const links = await call('get-resource-links', { count: 4 });
  outcome.links = links.content.map(({ type, uri, name }) => ({ type, uri, name }));
  const read = await client.readResource({ uri: links.content[1].uri });
  outcome.read = read.contents.map(({ uri, mimeType }) => ({ uri, mimeType }));
  outcome.structured = await call('get-structured-content', { location: 'Chicago' });
  outcome.image = await call('get-tiny-image');
  outcome.annotated = await call('get-annotated-message', { messageType: 'error', includeImage: true });
  outcome.wrong = await call('get-sum', { a: 'x', b: 1 }).catch((error) => ({ code: error.code }));
  outcome.unknown = await call('no-such-tool').catch((error) => ({ code: error.code, message: error.message }));
  outcome.prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
  outcome.logging = await call('toggle-simulated-logging');
  await until(() => notified.some(({ method }) => method === 'notifications/message'));
  await call('toggle-simulated-logging');
  return outcome;
}

for (const kind of ['1.x', '2.x', '2.x auto']) {
  test(`a ${kind} client sees the same, but for output schemas and two more tools`, { timeout: 120_000 }, async () => {
    const [{ tools: without, ...expected }, { tools: withOurs, ...got }] = await Promise.all([
      connect(kind, direct).then(seen),
      connect(kind, through).then(seen),
    ]);
    assert.deepEqual(got, expected);
    assert.deepEqual(
      got.progress.map(({ progress, total }) => [progress, total]),
      [
        [1, 4],
        [2, 4],
        [3, 4],
      ],
    );
    assert.equal(got.aborted, 'aborted');
    assert.match(JSON.stringify(got.sampling), /sampled 1/);
    assert.match(JSON.stringify(got.roots), /a-root/);
    assert.equal(got.structured.structuredContent.temperature, 36);
    assert.ok(without.length >= 16, `${without.length} tools`);
    assert.ok(without.some(({ outputSchema }) => outputSchema));
    assert.deepEqual(
      withOurs.slice(0, -2),
      without.map(({ outputSchema, ...tool }) => tool),
    );
    assert.deepEqual(
      withOurs.slice(-2).map(({ name }) => name),
      ['fetch_result', 'find_in_result'],
    );
  });
}

test('a long message comes back as a ticket, and window by window', async () => {
  const { client, call } = await connect('2.x', through);
  await client.listTools();
  const message = Array.from({ length: 3000 }, (_, index) => `line ${index} 🏴`).join('\n');
  const { content } = await call('echo', { message });
  assert.ok(content[0].text.length < 2500);
  assert.equal(await readAll(call, handleIn(content[0].text)), `Echo: ${message}`);
  const found = await call('find_in_result', { handle: handleIn(content[0].text), text: 'LINE 2999' });
  const [, offset] = /^(\d+): line 2999/.exec(found.content[0].text);
  const window = await call('fetch_result', { handle: handleIn(content[0].text), offset });
  assert.equal(window.content[0].text, 'line 2999 🏴');
});

test('50 calls at once, of mixed sizes: every answer at its own id', { timeout: 120_000 }, async () => {
  const { client, call } = await connect('1.x', through);
  await client.listTools();
  const sizes = Array.from({ length: 50 }, (_, index) => [5, 900, 7990, 20_000, 400_000][index % 5] + index);
  const answers = await Promise.all(
    sizes.map((size) =>
      call('echo', { message: `${size} `.repeat(Math.ceil(size / `${size} `.length)).slice(0, size) }),
    ),
  );
  for (const [index, { content }] of answers.entries()) {
    const [size, { text }] = [sizes[index], content[0]];
    assert.ok(text.startsWith(`Echo: ${String(size).slice(0, size)}`), text.slice(0, 40));
    assert.ok(
      size + 6 > 8000 ? text.includes(`[${size + 6} characters`) : text.length === size + 6,
      `${size}: ${text.length}`,
    );
  }
});
