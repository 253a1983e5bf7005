import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

test('a wrapped client has the type of the client, in both SDKs', () => {
  const { status, stdout } = spawnSync(path('../../node_modules/.bin/tsc'), ['-p', path('types')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});
