// The installed package through every bundler, with the settings that they have by default: what comes out runs where
// no package is near, and says what the package says unbundled.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import * as rolldown from 'rolldown';
import * as vite from 'vite';
import webpack from 'webpack';
import { install, PACKAGE } from '../pack/installed.mjs';
import { snippets } from '../pack/snippets.mjs';

const { app, remove } = install();
after(remove);
copyFileSync(fileURLToPath(new URL('./app.mjs', import.meta.url)), join(app, 'app.mjs'));

const BUNDLERS = {
  [`esbuild ${esbuild.version}, for browsers`]: (entry, outdir) =>
    esbuild.build({ entryPoints: [entry], outdir, bundle: true, format: 'esm', minify: true, outExtension: { '.js': '.mjs' }, logLevel: 'error' }),
  [`esbuild ${esbuild.version}, for Node`]: (entry, outdir) =>
    esbuild.build({ entryPoints: [entry], outdir, bundle: true, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' }, logLevel: 'error' }),
  [`rolldown ${rolldown.VERSION}`]: (entry, dir) =>
    rolldown.build({ input: entry, cwd: app, output: { format: 'es', dir, minify: true, entryFileNames: '[name].mjs' } }),
  [`vite ${vite.version}, a page`]: (entry, outDir) => {
    writeFileSync(join(app, 'index.html'), `<!doctype html><script type="module" src="/${basename(entry)}"></script>`);
    return vite.build({ root: app, logLevel: 'error', build: { outDir, target: 'es2022', modulePreload: false } });
  },
  [`vite ${vite.version}, for servers`]: (entry, outDir) =>
    vite.build({ root: app, logLevel: 'error', ssr: { noExternal: true }, build: { outDir, ssr: entry, target: 'es2022' } }),
  [`webpack ${webpack.version}`]: (entry, path) =>
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

/** What a program prints, run where it lies. */
const printed = (file) => execFileSync(process.execPath, [file], { cwd: dirname(file), encoding: 'utf8', timeout: 60_000 });

/** What the program prints once it went through a bundler, alone in a folder. */
async function bundled(bundle, entry, t) {
  const folder = mkdtempSync(join(tmpdir(), 'claim-check-bundle-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await bundle(entry, folder);
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.m?js$/.test(file));
  assert.equal(files.length, 1, `one file was expected, not ${files.join(', ')}`);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  t.diagnostic(`${statSync(join(folder, files[0])).size} bytes`);
  return printed(join(folder, files[0]));
}

const answers = printed(join(app, 'app.mjs'));
test('what the program prints, unbundled', () => {
  const [ticket, window, result, harmless] = JSON.parse(answers);
  assert.match(ticket, /^Ein Satz, .*\n\n\[34000 characters, \d+ not shown\./);
  assert.equal([...window].length, 50);
  assert.match(result, /^x+\n\n\[9000 characters, /);
  assert.equal(harmless, '< |im_start|>');
});

// Programs of README.md that need nothing but what runs everywhere.
const portable = snippets(readFileSync(join(PACKAGE, 'README.md'), 'utf8')).filter(({ program, notRun }) => {
  const imported = [...program.matchAll(/(?:from|import) '([^']+)'/g)].map(([, name]) => name);
  return notRun === undefined && imported.every((name) => ['claim-check', 'claim-check/ai', 'claim-check/component'].includes(name));
});
for (const { line, program } of portable) writeFileSync(join(app, `line-${line}.mjs`), program);

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  test(name, async (t) => assert.equal(await bundled(bundle, join(app, 'app.mjs'), t), answers));
  for (const { line, printed } of portable) {
    test(`${name}: README.md, line ${line}`, async (t) => {
      const said = await bundled(bundle, join(app, `line-${line}.mjs`), t);
      if (printed !== undefined) assert.equal(said.trimEnd(), printed);
    });
  }
}
