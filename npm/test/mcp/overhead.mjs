// What the proxy costs: a small call as a ratio to a direct connection, and the time until a client is connected.
//
//     node npm/test/mcp/overhead.mjs [CALLS]
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const calls = Number(process.argv[2] ?? 2000);
const data = mkdtempSync(join(tmpdir(), 'claim-check-overhead-'));
const server = join(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  '../dist/index.js',
);
const direct = [server, 'stdio'];
const proxied = [
  fileURLToPath(new URL('../../bin/claim-check.js', import.meta.url)),
  'mcp',
  '--data',
  data,
  '--',
  process.execPath,
  ...direct,
];
const median = (numbers) => numbers.sort((one, other) => one - other)[numbers.length >> 1];

async function connect(args) {
  const client = new Client({ name: 'overhead', version: '1' });
  const started = performance.now();
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return [client, performance.now() - started];
}

const starts = { direct: [], proxied: [] };
for (let round = 0; round < 9; round += 1) {
  for (const [name, args] of Object.entries({ direct, proxied })) {
    const [client, took] = await connect(args);
    starts[name].push(took);
    await client.close();
  }
}

const [[one], [other]] = [await connect(direct), await connect(proxied)];
const times = { direct: [], proxied: [] };
const call = (client) => client.callTool({ name: 'echo', arguments: { message: 'hello' } });
for (let round = 0; round < calls + 200; round += 1) {
  for (const [name, client] of [
    ['direct', one],
    ['proxied', other],
  ]) {
    const started = performance.now();
    await call(client);
    if (round >= 200) times[name].push(performance.now() - started);
  }
}
await Promise.all([one.close(), other.close()]);
rmSync(data, { recursive: true, force: true });
const [without, behind] = [median(times.direct), median(times.proxied)];
const [cold, both] = [median(starts.direct), median(starts.proxied)];
console.log(
  `a small call: ${without.toFixed(3)} ms direct, ${behind.toFixed(3)} ms behind the proxy: ${(behind / without).toFixed(2)} times, ${(behind - without).toFixed(3)} ms more`,
);
console.log(
  `until connected: ${cold.toFixed(0)} ms direct, ${both.toFixed(0)} ms behind the proxy: ${(both - cold).toFixed(0)} ms more`,
);
