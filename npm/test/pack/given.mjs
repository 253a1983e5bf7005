// What a README's snippets may take as given.

import { call, done, handleIn, scripted } from './model.mjs';

/** A model that calls the first tool, reads one window of what was too large, and is done. */
export const model = reading();

function reading() {
  const [first, next, last] = [
    ({ tools }) => call(tools[0].name, Object.fromEntries((tools[0].inputSchema.required ?? []).map((name) => [name, 'x']))),
    ({ prompt }) => call('fetch_result', { handle: handleIn(JSON.stringify(prompt.at(-1))), offset: 0 }),
    () => done,
  ];
  const inner = scripted();
  const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };
  const answer = (options) => [first, next, last][options.prompt.filter(({ role }) => role === 'tool').length](options);
  inner.doGenerate = async (options) => ({ usage, warnings: [], ...answer(options) });
  return inner;
}

/** Whose request it is. */
export const user = { id: 'user-1', organisation: 'organisation-1' };
