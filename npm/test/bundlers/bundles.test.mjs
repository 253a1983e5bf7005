// The installed package through every bundler, with the settings that they have by default: what comes out runs where
// no package is near, and says what the package says unbundled.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import * as rolldown from 'rolldown';
import * as vite from 'vite';
import webpack from 'webpack';
import { install } from '../pack/installed.mjs';

const { app, remove } = install();
after(remove);
const entry = join(app, 'app.mjs');
copyFileSync(fileURLToPath(new URL('./app.mjs', import.meta.url)), entry);
writeFileSync(join(app, 'index.html'), '<!doctype html><script type="module" src="/app.mjs"></script>');

const LOADER = 'import { pathToFileURL } from "node:url"; await import(pathToFileURL(process.argv[1])); console.log(JSON.stringify(answers));';
const answersOf = (file, cwd) =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', LOADER, file], { cwd, encoding: 'utf8' }));
const expected = answersOf(entry, app);

test('the answers, unbundled', () => {
  assert.match(expected[0], /^Ein Satz, .*\n\n\[34000 characters, \d+ not shown\./);
  assert.deepEqual(expected.slice(3), ['< |im_start|>']);
});

const BUNDLERS = {
  [`esbuild ${esbuild.version}, for browsers`]: (outdir) =>
    esbuild.build({ entryPoints: [entry], outdir, bundle: true, format: 'esm', minify: true, outExtension: { '.js': '.mjs' }, logLevel: 'error' }),
  [`esbuild ${esbuild.version}, for Node`]: (outdir) =>
    esbuild.build({ entryPoints: [entry], outdir, bundle: true, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' }, logLevel: 'error' }),
  [`rolldown ${rolldown.VERSION}`]: (dir) =>
    rolldown.build({ input: entry, cwd: app, output: { format: 'es', dir, minify: true, entryFileNames: '[name].mjs' } }),
  [`vite ${vite.version}, a page`]: (outDir) =>
    vite.build({ root: app, logLevel: 'error', build: { outDir, target: 'es2022', modulePreload: false } }),
  [`vite ${vite.version}, for servers`]: (outDir) =>
    vite.build({ root: app, logLevel: 'error', ssr: { noExternal: true }, build: { outDir, ssr: entry, target: 'es2022' } }),
  [`webpack ${webpack.version}`]: (path) =>
    new Promise((resolve, reject) => {
      const output = { path, filename: 'app.mjs', module: true, chunkFormat: 'module' };
      const settings = { mode: 'production', context: app, entry, target: ['web', 'es2022'], experiments: { outputModule: true }, output };
      webpack(settings, (error, stats) => {
        // The size of the core is what webpack warns of, and nothing else may be.
        const { errors = [], warnings = [] } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
        const others = [...errors, ...warnings.filter(({ message }) => !/size limit|code splitting|performance/i.test(message))];
        if (error !== null || others.length > 0) reject(error ?? new Error(others.map(({ message }) => message).join('\n')));
        else resolve();
      });
    }),
};

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  test(name, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'claim-check-bundle-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    await bundle(folder);
    const files = readdirSync(folder, { recursive: true }).filter((file) => /\.m?js$/.test(file));
    assert.equal(files.length, 1, `one file was expected, not ${files.join(', ')}`);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    assert.deepEqual(answersOf(join(folder, files[0]), folder), expected);
    t.diagnostic(`${statSync(join(folder, files[0])).size} bytes`);
  });
}
