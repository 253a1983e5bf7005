// Where things are, and how a runtime that can't be had is passed over: loudly, with the exit status that says so.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SKIPPED = 77;
/** The package's folder. */
export const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
/** The vectors to run: the folder given on the command line, else the repository's. */
export const VECTORS = process.argv[2] ?? fileURLToPath(new URL('../../../tests/vectors/', import.meta.url));

/** A program of this folder's packages. */
export function program(name) {
  const path = fileURLToPath(new URL(`./node_modules/${name}`, import.meta.url));
  if (!existsSync(path)) skip(`${basename(name)} is not here: npm ci in ${fileURLToPath(new URL('.', import.meta.url))}`);
  return path;
}

export function skip(why) {
  console.log(`SKIPPED: ${why}`);
  process.exit(SKIPPED);
}

/** The vectors as `{ name: cases }`. */
export function files() {
  const names = readdirSync(VECTORS).filter((name) => name !== 'README.md');
  return Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(join(VECTORS, name), 'utf8'))]));
}

/** Ends with the counts of a run that was heard of through its printed lines. */
export function finish(lines) {
  for (const line of lines) console.log(line);
  const counts = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1) ?? '');
  if (counts === null) throw new Error('the runtime did not say how many passed');
  process.exitCode = Number(counts[1]) > 0 && Number(counts[2]) === 0 ? 0 : 1;
}
