// A server that does as it is told, down to the byte. `--record FILE` keeps what it receives, `--ignore-end` stays
// when its input ends, `--tools JSON` is its list, `--more JSON` the next page.
import { appendFileSync } from 'node:fs';

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const [record, tools] = [option('--record'), option('--tools') ?? '[{"name":"say","inputSchema":{"type":"object"}}]'];
const write = (text) => process.stdout.write(text);

const TOOLS = {
  // Answers with this line, $ID replaced by the id as it came.
  say: (id, { line }) => write(`${line.replaceAll('$ID', () => id)}\n`),
  // Answers with a text of so many characters.
  size: (id, { chars, character = 'x' }) =>
    write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${character.repeat(chars)}"}]}}\n`),
  wait: () => {},
  die: () => process.exit(7),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  stop: (id) => {
    write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"te`);
    setTimeout(() => process.exit(3), 50);
  },
};

function take(line) {
  if (record) appendFileSync(record, `${line}\n`);
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  for (const one of Array.isArray(message) ? message : [message]) {
    if (typeof one !== 'object' || one === null) continue;
    const id = /"id":\s*("(?:[^"\\]|\\.)*"|[^,}\s]+)/.exec(Array.isArray(message) ? JSON.stringify(one) : line)?.[1];
    const more = one.params?.cursor !== undefined && option('--more');
    if (one.method === 'tools/list')
      write(
        more
          ? `{"jsonrpc":"2.0","id":${id},"result":{"tools":${more}}}\n`
          : `{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}\n`,
      );
    else if (one.method === 'tools/call') TOOLS[one.params.name]?.(id, one.params.arguments ?? {});
    else if (one.method === 'echo') write(`${one.params.line}\n`);
  }
}

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  lines.forEach(take);
});
if (process.argv.includes('--ignore-end')) {
  setInterval(() => {}, 1000);
  process.on('SIGTERM', () => {});
}
