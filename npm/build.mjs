// From the core that the Rust side left in a folder to the package in dist: optimised, typed, weighed.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const [core, component] = process.argv.slice(2);
if (component === undefined) {
  throw new Error('usage: node build.mjs FOLDER COMPONENT, with core_bg.wasm and core_bg.js in the folder');
}
// Put in place only when it is whole: tests may be running on what lies there.
const partial = join(here, `dist.${process.pid}.partial`);
const wasm = join(partial, 'wasm');
const run = (program, ...args) => execFileSync(join(here, 'node_modules/.bin', program), args, { stdio: 'inherit' });

mkdirSync(wasm, { recursive: true });

run('wasm-opt', '-O3', '--converge', '--strip-producers', '--strip-target-features', join(core, 'core_bg.wasm'), '-o', join(wasm, 'core_bg.wasm'));
const bytes = readFileSync(join(wasm, 'core_bg.wasm'));
copyFileSync(join(core, 'core_bg.js'), join(wasm, 'core_bg.js'));
writeFileSync(join(wasm, 'core_hexadecimal.js'), `export const hexadecimal =\n  '${bytes.toString('hex')}';\n`);
for (const file of readdirSync(join(here, 'ts/wasm'))) copyFileSync(join(here, 'ts/wasm', file), join(wasm, file));
for (const file of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(join(here, '..', file), join(here, file));
rmSync(join(here, 'wit'), { recursive: true, force: true });
cpSync(join(here, '../wit'), join(here, 'wit'), { recursive: true });

// The component as JavaScript, with the types that jco gives it: the wrapper is held to them.
const generated = join(here, 'ts/component/generated');
execFileSync(process.execPath, [join(here, 'jco/transpile.mjs'), component, generated], { stdio: 'inherit' });
const glue = await import(pathToFileURL(join(wasm, 'core_bg.js')).href);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { './core_bg.js': glue });
glue.__wbg_set_wasm(exports);
// Without it the constants of JavaScript, true say, come out as null.
exports.__wbindgen_start();
const defaults = JSON.stringify(glue.defaults(), null, 2);
writeFileSync(join(generated, 'defaults.js'), `export const defaults = ${defaults};\n`);
writeFileSync(
  join(generated, 'defaults.d.ts'),
  "import type { Settings } from './interfaces/claim-check-tool-results-types.js';\n\n" +
    "export declare const defaults: Omit<Settings, 'perTool'>;\n",
);
cpSync(generated, join(partial, 'component/generated'), { recursive: true });
copyFileSync(component, join(partial, 'component/claim_check.wasm'));
try {
  run('tsc', '-p', here, '--outDir', partial);
} catch {
  rmSync(partial, { recursive: true });
  console.error('npm: the TypeScript has errors, which stand above; dist is as it was');
  process.exit(1);
}
const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
renameSync(partial, dist);

/** The files that a module loads, itself included. */
function closure(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, path] of source.matchAll(/^(?:import|export)[^'"]*?from '(\.[^']*)'|^import '(\.[^']*)'/gm)) {
    closure(join(dirname(file), path), seen);
  }
  return seen;
}

const { budget } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const entry = [...closure(join(dist, 'entry.default.js'))].map((file) => readFileSync(file));
const sizes = { coreBytes: bytes.length, defaultEntryGzipBytes: gzipSync(Buffer.concat(entry), { level: 9 }).length };
for (const [name, size] of Object.entries(sizes)) {
  console.log(`npm: ${name} ${size}, of ${budget[name]}`);
  if (!(size <= budget[name])) {
    console.error(`npm: ${name} is over the budget in package.json`);
    process.exitCode = 1;
  }
}
