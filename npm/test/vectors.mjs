// Runs a folder of conformance vectors through the built package: node vectors.mjs DIR [--through core|component]

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './vectors/run.mjs';
import { SUBJECTS } from './vectors/subjects.mjs';

const USAGE = 'usage: node vectors.mjs DIR [--through core|component]';

function usage(problem) {
  console.error(`${problem}; ${USAGE}`);
  process.exit(2);
}

let folder;
let through = 'core';
for (let args = process.argv.slice(2); args.length > 0; ) {
  const argument = args.shift();
  if (argument === '--through') through = args.shift() ?? usage('through what?');
  else if (argument.startsWith('-')) usage(`no option ${argument}`);
  else if (folder !== undefined) usage(`one folder is enough, what is ${argument}?`);
  else folder = argument;
}
if (folder === undefined) usage('which folder?');

if (!Object.hasOwn(SUBJECTS, through)) usage(`through what? ${Object.keys(SUBJECTS).join(' or ')}, not ${through}`);

const files = {};
for (const name of readdirSync(folder)) {
  if (name !== 'README.md') files[name] = JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
const { failed } = await run(files, await SUBJECTS[through](), through);
process.exitCode = failed === 0 ? 0 : 1;
