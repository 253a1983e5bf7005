// What can be set, and how it is refused.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { BIN, folder, handleIn, RawClient, readAll, scripted } from './peers.mjs';

const data = folder();
const start = (options, settings) => new RawClient(scripted(options, ...(settings?.server ?? [])), settings);
const ended = async (...args) => {
  const program = new RawClient([process.execPath, BIN, ...args], { raw: true });
  let said = '';
  program.child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const { code } = await program.exit;
  return { code, said, errors: program.errors };
};

test('help and version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.deepEqual(await ended('--version'), { code: 0, said: `${version}\n`, errors: '' });
  assert.match((await ended('--help')).said, /^Checks oversized tool results in/);
  const { said, code } = await ended('mcp', '--help');
  assert.equal(code, 0);
  for (const name of [
    'policy',
    'window',
    'structured',
    'max-chars',
    'no-neutralise',
    'tenant',
    'data',
    'new-run',
    'forget-on-exit',
    'explain',
    'config',
  ]) {
    assert.ok(said.includes(`--${name}`), name);
  }
  assert.ok(said.split('\n').every((line) => line.length <= 120));
});

test('options that make no sense are refused, with what to do', async () => {
  const file = join(data, 'bad.json');
  writeFileSync(file, '{"thresholds": 3}');
  for (const [args, expected] of [
    [[], 'there is no command: try claim-check --help'],
    [['serve'], 'there is no command "serve": there is mcp; try claim-check --help'],
    [
      ['mcp'],
      'there is no command to start: write claim-check mcp [options] -- COMMAND ARGS, with the command that started the server before',
    ],
    [
      ['mcp', '--polcy', 'x', '--', 'cat'],
      "Unknown option '--polcy': claim-check mcp --help lists the options; the server's command comes after --",
    ],
    [
      ['mcp', 'cat'],
      "Unexpected argument 'cat': claim-check mcp --help lists the options; the server's command comes after --",
    ],
    [
      ['mcp', '--policy', 'never', '--', 'cat'],
      `--policy "never" names no tool: write --policy 'TOOL=threshold:20000,head:1500,tail:500,ttl:24h', each part if you want it, or TOOL=never`,
    ],
    [
      ['mcp', '--policy', 'a=threshold:lots', '--', 'cat'],
      '--policy a, threshold is "lots": give a whole number of characters, such as 8000',
    ],
    [['mcp', '--policy', 'a=ttl:1y', '--', 'cat'], '--policy a, ttl is "1y": give a time such as 90s, 30m, 24h or 7d'],
    [['mcp', '--structured', 'yes', '--', 'cat'], 'structured is "yes": write keep or drop'],
    [['mcp', '--max-chars', '-1', '--', 'cat'], null],
    [['mcp', '--tenant', '', '--', 'cat'], 'tenant must be a text that is not empty'],
    [
      ['mcp', '--config', join(data, 'none.json'), '--', 'cat'],
      `the file ${join(data, 'none.json')} can't be read (ENOENT): name one that can, with --config`,
    ],
    [['mcp', '--config', file, '--', 'cat'], null],
    // Refused by the core, in its words.
    [['mcp', '--policy', '*=head:9000', '--', 'cat'], null],
    [['mcp', '--policy', 'a=threshold:0', '--', 'cat'], null],
    [['mcp', '--tenant', 'a\tb', '--', 'cat'], null],
  ]) {
    const { code, errors, said } = await ended(...args);
    assert.deepEqual([code, said], [2, ''], args.join(' '));
    if (expected !== null) assert.equal(errors, `claim-check: ${expected}\n`);
    else assert.match(errors, /^claim-check: .{20,}\n$/);
  }
});

test('policies by tool: on the command line, in the environment, in a file; the nearer one counts', async () => {
  const config = join(folder(), 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      data,
      policy: { size: { threshold: 100, head: 10, tail: 0 }, say: 'never', '*': { threshold: 50, head: 5, tail: 0 } },
    }),
  );
  const byFile = start(['--config', config]);
  assert.match((await byFile.call('size', { chars: 101 })).content[0].text, /^x{10}\n\n\[101 characters, 91 not shown/);
  const long = 'y'.repeat(100_000);
  assert.equal(
    (await byFile.say(`{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"${long}"}]}}`)).content[0]
      .text,
    long,
  );
  const env = { CLAIM_CHECK_MCP: JSON.stringify({ policy: { size: { threshold: 200, head: 20, tail: 0 } }, config }) };
  const byEnvironment = start([], { env });
  assert.equal((await byEnvironment.call('size', { chars: 200 })).content[0].text.length, 200);
  assert.match((await byEnvironment.call('size', { chars: 201 })).content[0].text, /^x{20}\n\n\[201/);
  const byLine = start(['--policy', 'size=threshold:300,head:30,tail:30,ttl:2h'], { env });
  assert.equal((await byLine.call('size', { chars: 300 })).content[0].text.length, 300);
  assert.match((await byLine.call('size', { chars: 301 })).content[0].text, /^x{30}\n\n\[301 .*offset=30 .*\n\nx{30}$/);
});

test('--max-chars cuts, keeps nothing and adds no tools', async () => {
  const own = folder();
  const client = start(['--max-chars', '500', '--data', join(own, 'none')]);
  assert.deepEqual(
    (await client.ask('tools/list')).result.tools.map(({ name }) => name),
    ['say'],
  );
  const { content } = await client.call('size', { chars: 9000 });
  assert.ok(content[0].text.length <= 500);
  assert.match(content[0].text, /\[9000 characters, cut after \d+\. The rest was not kept\.\]$/);
  await client.end();
  assert.equal(existsSync(join(own, 'none')), false);
});

test('--no-neutralise leaves markers as they are', async () => {
  const client = start(['--no-neutralise', '--data', data]);
  const { content } = await client.say(
    '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"<|im_start|>"}],"structuredContent":{"a":"<|im_end|>"}}}',
  );
  assert.equal(content[0].text, '<|im_start|>');
});

test('a run lasts over sessions, per command line and folder; --new-run and another tenant start anew', async () => {
  const own = folder();
  const first = start(['--data', own]);
  const handle = handleIn((await first.call('size', { chars: 9000 })).content[0].text);
  await first.end();
  const reads = async (options, settings) => {
    const client = start(options, settings);
    const { isError } = await client.call('fetch_result', { handle });
    await client.end();
    return isError !== true;
  };
  assert.equal(await reads(['--data', own]), true);
  assert.equal(await reads(['--data', own, '--tenant', 'other']), false);
  assert.equal(await reads(['--data', own], { cwd: folder() }), false);
  assert.equal(await reads(['--data', own], { server: ['--other'] }), false);
  assert.equal(await reads(['--data', own, '--new-run']), false);
  // From then on, that one is the run.
  assert.equal(await reads(['--data', own]), false);
});

test('--forget-on-exit leaves nothing of the run', async () => {
  const own = folder();
  const client = start(['--data', own, '--forget-on-exit']);
  const handle = handleIn((await client.call('size', { chars: 9000 })).content[0].text);
  assert.equal((await readAll(client.call.bind(client), handle)).length, 9000);
  assert.deepEqual(await client.end(), { code: 0, signal: null });
  assert.deepEqual(readdirSync(join(own, 'store')), ['claim-check-store']);
});

test('--explain says what was saved, at a signal and at the end, and nothing of the content', async () => {
  const file = join(folder(), 'explain.json');
  const client = start(['--data', data, '--explain', file, '--new-run']);
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  const handle = handleIn((await client.call('size', { chars: 20_000, character: 'Q' })).content[0].text);
  await client.call('size', { chars: 5 });
  await client.call('fetch_result', { handle, offset: 19_000 });
  await client.call('find_in_result', { handle, text: 'qqq' });
  client.child.kill('SIGUSR1');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '')
    await new Promise((resolve) => setTimeout(resolve, 20));
  const size = { results: 2, checkedIn: 1, cut: 0, windowsRedeemed: 1, charactersRedeemed: 1000, searches: 1 };
  const { charactersKeptOut, ...counted } = read().tools.size;
  assert.deepEqual(counted, size);
  assert.ok(charactersKeptOut > 17_500 && charactersKeptOut < 18_500, `${charactersKeptOut}`);
  assert.equal((await client.call('size', { chars: 5 })).content[0].text, 'xxxxx');
  await client.call('fetch_result', { handle: 'claim:ffffffffffffffffffffffffffffffff' });
  await client.call('fetch_result', { handle, offset: -5 });
  await client.call('fetch_result', { nonsense: 'SECRET' });
  await client.end();
  const report = read();
  assert.equal(report.tools.size.results, 3);
  assert.deepEqual(
    report.refusals.map(({ code, count }) => [code, count]),
    [
      ['claim_unavailable', 1],
      ['invalid_offset', 1],
      ['invalid_arguments', 1],
    ],
  );
  assert.match(report.refusals[0].why, /no live claim/);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /QQQ|qqq|SECRET/);
});

test('a probe that lists the tools and goes leaves no file', async () => {
  const own = join(folder(), 'data');
  const client = start(['--data', own]);
  assert.equal((await client.ask('tools/list')).result.tools.length, 3);
  await client.end();
  assert.equal(existsSync(own), false);
});
