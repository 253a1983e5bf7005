// The vectors in a page of headless Chromium: the package's files as they are, an import map, no bundler.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { files, finish, PACKAGE, skip } from './ours.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => {
  try {
    return execFileSync('which', [name], { stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
});
if (chromium === undefined) skip('there is no chromium here; Debian has a package of that name');
const version = execFileSync(chromium, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
console.log(`chromium: ${version.trim()}`);

const profile = mkdtempSync(join(tmpdir(), 'claim-check-chromium-'));
const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, 'http://localhost').pathname);
  if (request.method === 'POST' && path === '/lines') {
    server.emit('lines', JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.end();
  } else if (path === '/vectors.json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(files()));
  } else {
    try {
      const bytes = readFileSync(join(PACKAGE, path));
      const type = TYPES[extname(path)] ?? 'text/plain';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }
});
await once(server.listen(0, '127.0.0.1'), 'listening');

const page = `http://127.0.0.1:${server.address().port}/test/runtimes/page.html`;
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`];
const browser = spawn(chromium, [...flags, page], { stdio: 'ignore' });
const ended = once(browser, 'exit');
try {
  const early = ended.then(([code]) => Promise.reject(new Error(`chromium ended early, with ${code}`)));
  const late = sleep(300_000, undefined, { ref: false }).then(() => Promise.reject(new Error('the page said nothing for five minutes')));
  const [lines] = await Promise.race([once(server, 'lines'), early, late]);
  finish(lines);
} finally {
  browser.kill();
  await ended;
  server.close();
  server.closeAllConnections();
  // Processes of the browser may still be writing their last into it.
  await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
