// A process for whom something is wrong with the folder: it says the code and the text of each refusal. Test runners
// that start every file here find nothing to do in it.
import { open } from 'node:fs/promises';

import { FileStore } from '../../dist/stores/file.js';
import { known, TTL } from './known.mjs';

const [trouble, folder] = process.argv.slice(2);
const scope = { tenant: 'victim', run: 'run' };
const { handle, claim } = known(1);
const said = {};
const attempt = async (name, call) => {
  said[name] = await call().then(
    (answer) => ['done', answer ?? null],
    (error) => [error.code, error.message],
  );
};

if (trouble === 'stranger') {
  process.setgid(65_534);
  process.setuid(65_534);
}
let store;
if (trouble) {
  await attempt('open', async () => {
    store = await FileStore.open(folder);
  });
}
const held = [];
if (trouble === 'no-files') {
  // Every descriptor that the system gives is taken.
  for (;;) {
    try {
      held.push(await open('/dev/null'));
    } catch {
      break;
    }
  }
}
if (store) {
  await attempt('put', () => store.put(scope, handle, claim, TTL));
  await attempt('fetch', async () => (await store.fetch(scope, handle, 0, 0)).manifest);
  await attempt('forget', () => store.forget({ tenant: 'nobody' }));
}
for (const file of held) await file.close();
console.log(JSON.stringify(said));
