import { ClaimCheck, MemoryStore, StoreError } from 'claim-check';

export const ALICE = { tenant: 'alice', run: 'run-a' };
export const BOB = { tenant: 'bob', run: 'run-b' };

/** A claim check, and the events that it told of. */
export function opened(options = {}) {
  const events = [];
  const store = new MemoryStore();
  const claims = ClaimCheck.open({ store, onEvent: (event) => events.push(event), ...options });
  return { claims, events, store };
}

/** The types of the events, in order. */
export const types = (events) => events.map(({ type }) => type);

/** A store that can't be reached. */
export const refusing = {
  put: async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.7:6379');
  },
  fetch: async () => {
    throw new StoreError('unavailable', 'connect ECONNREFUSED 10.0.0.7:6379');
  },
  forget: async () => 0,
};
