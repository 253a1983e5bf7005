// The configurations in docs/mcp.md: what they start before and after is the same server, and the options are all told.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { BIN, RawClient } from './peers.mjs';

const docs = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

test('every configuration puts the proxy in front of the command, and changes nothing else', () => {
  const blocks = [...docs.matchAll(/```json\n([^]*?)```/g)].map(([, json]) => JSON.parse(json));
  assert.equal(blocks.length, 6);
  for (let at = 0; at < blocks.length; at += 2) {
    const [before, after] = [blocks[at], blocks[at + 1]].map((block) => Object.values(block)[0].files);
    assert.deepEqual(after, { ...before, args: ['-y', 'claim-check', 'mcp', '--', before.command, ...before.args] });
    assert.deepEqual(Object.keys(blocks[at]), Object.keys(blocks[at + 1]));
  }
});

test('the page names every option of --help', async () => {
  const help = new RawClient([process.execPath, BIN, 'mcp', '--help'], { raw: true });
  let said = '';
  for await (const chunk of help.child.stdout) said += chunk;
  const options = new Set([...said.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name));
  options.delete('--help');
  assert.ok(options.size >= 11);
  for (const option of options) assert.ok(docs.includes(`\`${option}`), option);
});
