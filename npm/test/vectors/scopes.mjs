// Which scopes any call refuses.

import { refusal, same, shaped } from './check.mjs';
import { SCOPE } from './check-ins.mjs';
import { Shelf } from './shelf.mjs';

const HANDLE = 'claim:0123456789abcdef0123456789abcdef';

export async function scope(subject, value) {
  const { valid, ...scope } = shaped(value, { ...SCOPE, valid: 'boolean' });
  const shelf = new Shelf();
  const claims = subject.open({ store: shelf });
  const outcomes = {
    'check-in': await settled(() => claims.checkIn(scope, 'search', 'small')),
    'check-in, large': await settled(() => claims.checkIn(scope, 'search', 'x'.repeat(5000))),
    fetch: await refusal(() => claims.fetch(scope, HANDLE), 'fetch of nothing'),
    find: await refusal(() => claims.find(scope, HANDLE, 'x'), 'search of nothing'),
    answer: (await claims.answer(scope, 'fetch_result', JSON.stringify({ handle: HANDLE }))).cause,
    forget: await settled(() => claims.forget({ run: scope })),
  };
  for (const [call, error] of Object.entries(outcomes)) {
    const expected = !valid ? 'invalid-scope' : ['fetch', 'find', 'answer'].includes(call) ? 'claim-unavailable' : undefined;
    same(`${call} is refused as`, expected, error?.code);
    const longest = scope.tenant.length > scope.run.length ? scope.tenant : scope.run;
    if (error && longest.length > 8) same(`${call} repeats the scope`, false, error.message.includes(longest));
  }
  same('calls of the store', valid ? 5 : 0, shelf.takeCalls().length);
}

/** The error that a call ends in, if it does. */
async function settled(call) {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}
