// The vectors in workerd, which compiles no WebAssembly at run time: through the package's own entry for it.

import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { files, finish, program } from './ours.mjs';

const [workerd, esbuild] = [program('.bin/workerd'), program('.bin/esbuild')];
console.log(execFileSync(workerd, ['--version'], { encoding: 'utf8' }).trim());

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'claim-check-workerd-'));
let server;
try {
  const flags = ['--bundle', '--format=esm', '--conditions=workerd,worker', '--loader:.wasm=copy', '--asset-names=[name]'];
  execFileSync(esbuild, [here('worker.mjs'), ...flags, '--log-level=warning', `--outfile=${join(folder, 'worker.js')}`]);
  copyFileSync(here('workerd.capnp'), join(folder, 'config.capnp'));

  // It chooses a free port, and says so on the file descriptor that it is given.
  const args = ['serve', 'config.capnp', '--control-fd=3'];
  server = spawn(workerd, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const port = await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`workerd ended early, with ${code}`)));
    let said = '';
    server.stdio[3].on('data', (chunk) => {
      said += chunk;
      const event = said.split('\n').find((line) => line.includes('"listen"'));
      if (event !== undefined) resolve(JSON.parse(event).port);
    });
  });
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(files()) });
  finish(await answer.json());
} finally {
  server?.removeAllListeners('exit');
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
}
