// Many results through one process: check in, read a window, find, forget; the memory in use has to stay where it was
// after the first tenth. `node --expose-gc memory.mjs [CHECK-INS] [CHARACTERS]`; 100,000 of 100,000 without.

import { ClaimCheck, MemoryStore } from 'claim-check';

const [checkIns, characters] = [process.argv[2] ?? 100_000, process.argv[3] ?? 100_000].map(Number);
/**
 * How much more there may be at the end than after warming up. What is in use is told exactly after a collection; the
 * pages that the process holds are the allocators' to give back. In 2,000 check-ins one text kept of each is three times as much.
 */
const SLACK = { rss: 64 * 2 ** 20, heapUsed: 4 * 2 ** 20, external: 8 * 2 ** 20 };
const RUN = 50;

if (globalThis.gc === undefined) throw new Error('run it as node --expose-gc memory.mjs');
const claims = ClaimCheck.open({ store: new MemoryStore() });

// A text as it may come: ASCII, wider characters, and something to make harmless in every fourth.
const words = ['a line of a log file ', 'eine Zeile aus einer Übersicht ', '検索結果の一行。', 'red \u001b[31mred\u001b[0m '];
const bodies = words.map((word) => word.repeat(Math.ceil(characters / word.length)).slice(0, characters - 12));
const content = (n) => `${String(n).padStart(10, '0')}: ${bodies[n % bodies.length]}`;

async function once(n) {
  const scope = { tenant: `tenant ${n % 3}`, run: `run ${Math.floor(n / RUN)}` };
  const { ticket } = await claims.checkIn(scope, 'tool', content(n));
  const window = await claims.fetch(scope, ticket.handle, { offset: ticket.chars - 1000, maxChars: 1000 });
  if ([...window.text].length !== 1000) throw new Error(`a window of ${window.text.length} units`);
  const answer = await claims.answer(scope, 'find_in_result', { handle: ticket.handle, text: content(n).slice(0, 10) });
  if (!answer.rendered.startsWith('0: ')) throw new Error(answer.rendered);
  if (n % RUN < 3) await claims.forget({ tenant: scope.tenant });
}

function inUse() {
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external };
}

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1).padStart(8);
console.log(`${checkIns} check-ins of ${characters} characters, Node ${process.versions.node}`);
console.log('check-ins      rss     heap external   MiB; seconds');
const samples = [];
const started = performance.now();
for (let n = 0; n < checkIns; n++) {
  await once(n);
  if ((n + 1) % Math.ceil(checkIns / 10) !== 0) continue;
  const now = inUse();
  samples.push(now);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${String(n + 1).padStart(9)} ${mebibytes(now.rss)} ${mebibytes(now.heapUsed)} ${mebibytes(now.external)}   ${seconds}`);
}

const [warm, last] = [samples[0], samples.at(-1)];
const grown = Object.keys(warm).filter((kind) => last[kind] > warm[kind] + SLACK[kind]);
if (grown.length > 0) {
  console.log(`memory grew since the first tenth: ${grown.join(', ')}`);
  process.exitCode = 1;
} else {
  console.log('flat since the first tenth');
}
