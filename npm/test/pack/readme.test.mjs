// The programs of README.md run as they stand, where the package was installed from its tarball.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { install, PACKAGE } from './installed.mjs';
import { snippets } from './snippets.mjs';

const found = snippets(readFileSync(join(PACKAGE, 'README.md'), 'utf8'));
test('there are snippets', { skip: found.length > 0 ? false : 'README.md has none' }, () => {});

test('snippets are read as they are said to be', () => {
  const text = 'a\n```js\none()\n```\n<!-- given: model -->\n```js\ntwo()\n```\n\n<!-- printed -->\n```text\n2\n```\n<!-- not run: no -->\n```ts\nx\n```\n```sh\ny\n```\n';
  assert.deepEqual(snippets(text), [
    { line: 2, program: 'one()', printed: undefined, notRun: undefined },
    { line: 5, program: "import { model } from './given.mjs';\ntwo()", printed: '2', notRun: undefined },
    { line: 14, program: 'x', printed: undefined, notRun: 'no' },
  ]);
});

if (found.length > 0) {
  const { app, remove } = install();
  after(remove);
  // What the snippets import besides, as the tests of the AI SDK adapter have it.
  const others = fileURLToPath(new URL('../ai/node_modules', import.meta.url));
  for (const name of existsSync(others) ? readdirSync(others) : []) {
    if (!name.startsWith('.') && name !== 'claim-check') symlinkSync(join(others, name), join(app, 'node_modules', name));
  }
  writeFileSync(join(app, 'model.mjs'), readFileSync(new URL('../ai/model.mjs', import.meta.url)));
  writeFileSync(join(app, 'given.mjs'), readFileSync(new URL('./given.mjs', import.meta.url)));
  for (const { line, program, printed, notRun } of found) {
    test(`README.md, line ${line}`, { skip: notRun ?? false }, () => {
      const folder = join(app, `line-${line}`);
      mkdirSync(folder);
      const file = join(app, `line-${line}.mjs`);
      writeFileSync(file, program);
      const said = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
      if (printed !== undefined) assert.equal(said.trimEnd(), printed);
    });
  }
}
