// The two ends of a session: a client that writes raw lines, and real ones.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
export const BIN = fileURLToPath(new URL('../../bin/claim-check.js', import.meta.url));
export const SCRIPTED = fileURLToPath(new URL('scripted-server.mjs', import.meta.url));

/** A folder of its own, removed after the file's tests. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'claim-check-mcp-'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The command line of one of the real servers. */
export function server(name, ...args) {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return [process.execPath, join(dirname(manifest), 'dist/index.js'), ...args];
}

/** A command line behind the proxy. */
export function proxied(command, options = []) {
  return [process.execPath, BIN, 'mcp', ...options, '--', ...command];
}

/** The scripted server behind the proxy. */
export function scripted(options, ...args) {
  return proxied([process.execPath, SCRIPTED, ...args], options);
}

/** A client that writes bytes and reads lines. */
export class RawClient {
  #lines = [];
  #waiting = [];
  #rest = [];
  #id = 0;
  errors = '';

  constructor(command, { env = {}, cwd, raw = false } = {}) {
    this.child = spawn(command[0], command.slice(1), { cwd, env: { ...process.env, ...env } });
    this.exit = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.errors += text));
    this.child.stdin.on('error', () => {});
    if (!raw) this.child.stdout.on('data', (chunk) => this.#take(chunk));
    after(() => this.child.kill('SIGKILL'));
  }

  #take(chunk) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#deliver(Buffer.concat([...this.#rest, chunk.subarray(from, end)]));
      this.#rest = [];
      from = end + 1;
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
  }

  #deliver(line) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(line);
    else this.#lines.push(line);
  }

  write(bytes) {
    return this.child.stdin.write(bytes);
  }

  end() {
    this.child.stdin.end();
    return this.exit;
  }

  /** The next line, as bytes without the line feed. */
  async next() {
    if (this.#lines.length > 0) return this.#lines.shift();
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve);
      this.exit.then((end) => reject(new Error(`ended with ${JSON.stringify(end)}: ${this.errors}`)));
    });
  }

  /** The answer to a request, the only one under way. */
  async ask(method, params = {}) {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params })}\n`);
    const answer = JSON.parse(await this.next());
    assert.equal(answer.id, this.#id);
    return answer;
  }

  async call(name, args = {}) {
    return (await this.ask('tools/call', { name, arguments: args })).result;
  }

  /** What the scripted server answers when it is told to. `$ID` stands for the request's id. */
  async say(line) {
    return this.call('say', { line });
  }
}

/** The handle in a ticket. */
export function handleIn(text) {
  return /claim:[0-9a-f]{32}/.exec(text)[0];
}

/** The whole of what a handle stands for, window by window. */
export async function readAll(call, handle, { from = 0, tool = 'fetch_result' } = {}) {
  let [text, offset] = ['', from];
  for (;;) {
    const { content, isError } = await call(tool, { handle, offset });
    assert.equal(isError, undefined, content[0].text);
    assert.equal(content.length, 2);
    text += content[0].text;
    const next = /and offset=(\d+) to read on\.\]$/.exec(content[1].text);
    if (!next) {
      assert.match(content[1].text, /This is the end\.\]$/);
      return text;
    }
    offset = Number(next[1]);
  }
}
