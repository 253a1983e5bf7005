// Child processes, and what they said.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('process.mjs', import.meta.url));

/** Starts one. `said` grows as it speaks; `ended` is its exit code and signal. */
export function start(...args) {
  const child = spawn(process.execPath, [PROGRAM, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const [word, n] = line.split(' ');
      said.push([word, Number(n)]);
    }
  });
  return { said, ended: once(child, 'close'), kill: (signal = 'SIGKILL') => child.kill(signal) };
}

/** Pseudo-random numbers below 1, the same in every run. */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
