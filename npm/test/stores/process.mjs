// One process on a folder that others use too. It says each thing that it has done on a line of its own. Test runners
// that start every file here find nothing to do in it.
import { writeSync } from 'node:fs';

import { FileStore } from '../../dist/stores/file.js';
import { known, TTL } from './known.mjs';

const [role, folder, from, to, ttl] = process.argv.slice(2);
const store = role && (await FileStore.open(folder));
const say = (...words) => writeSync(1, `${words.join(' ')}\n`);
const scope = (n) => ({ tenant: 'victim', run: `run ${n % 5}` });

const roles = {
  /** Puts claims until it is killed, four at a time, and waits so many milliseconds between them. */
  async put() {
    let n = Number(from);
    const task = async () => {
      for (;;) {
        const mine = n;
        n += 1;
        const { handle, claim } = known(mine);
        await store.put(scope(mine), handle, claim, TTL);
        say('put', mine);
        if (to) await new Promise((resolve) => setTimeout(resolve, Number(to)));
      }
    };
    await Promise.all([task(), task(), task(), task()]);
  },
  /** Puts each claim of a span and reads it back. */
  async span() {
    const numbers = Array.from({ length: Number(to) - Number(from) }, (_, n) => n + Number(from));
    for (const n of numbers) {
      const { handle, claim } = known(n);
      await store.put(scope(n), handle, claim, Number(ttl));
      const held = await store.fetch(scope(n), handle, 0, 0xffff_ffff);
      if (JSON.stringify(held) === JSON.stringify(claim)) say('whole', n);
    }
  },
  /** Fills the tenant, and says how many claims were taken and how many refused. */
  async fill() {
    const bounded = await FileStore.open(folder, { tenantBytes: Number(ttl), totalBytes: Infinity });
    for (let n = Number(from); n < Number(to); n += 1) {
      const { handle, claim } = known(n);
      const outcome = bounded.put(scope(n), handle, claim, TTL);
      say(
        await outcome.then(
          () => 'put',
          (error) => error.code,
        ),
        n,
      );
    }
  },
  /** Opens, puts, and has nothing more to do. */
  async once() {
    const { handle, claim } = known(1);
    await store.put(scope(1), handle, claim, TTL);
    say('put', 1);
  },
};
await roles[role]?.();
