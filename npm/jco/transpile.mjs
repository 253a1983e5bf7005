// The component as JavaScript, by jco: node transpile.mjs COMPONENT FOLDER

import { transpileBytes } from '@bytecodealliance/jco-transpile';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [component, folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node transpile.mjs COMPONENT FOLDER');

const { files, imports } = await transpileBytes(readFileSync(component), {
  name: 'claim_check',
  // A function that instantiates, without `await` and without looking for files.
  instantiation: 'sync',
  nodejsCompat: false,
  wasiShim: false,
  minify: true,
});
// The component needs nothing but a store; whatever else it asked for would be missing where it is instantiated.
if (imports.join() !== 'claim-check:tool-results/store') throw new Error(`the component imports ${imports.join(', ')}`);

rmSync(folder, { recursive: true, force: true });
const modules = {};
for (const [name, bytes] of Object.entries(files)) {
  if (name.endsWith('.wasm')) {
    modules[name] = Buffer.from(bytes).toString('hex');
    continue;
  }
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
// As text: no file has to be found at run time, so bundlers need no plug-in.
writeFileSync(join(folder, 'modules.js'), `export const modules = ${JSON.stringify(modules, null, 2)};\n`);
writeFileSync(join(folder, 'modules.d.ts'), 'export declare const modules: Readonly<Record<string, string>>;\n');
