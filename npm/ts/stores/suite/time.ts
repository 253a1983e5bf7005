import { claim, handle, type Stand } from './stand.ts';

/** A claim is served until its seconds are over, and not from that instant on, though nothing has swept it. */
export async function expires_at_the_instant(stand: Stand): Promise<void> {
  const { scope } = stand;
  const short = claim('short-lived', 2);
  // One is read and one is not: what a store does about being read is another rule's business.
  for (const n of [1, 2]) await stand.put(scope, handle(n), short, 2);
  if (stand.setup.clock) {
    await stand.advance(1.999);
    await stand.isWhole('a millisecond before', scope, handle(1), short);
    await stand.advance(0.001);
    await stand.isGone('at the instant of its expiry', scope, handle(2));
  } else {
    await stand.isWhole('before it expires', scope, handle(1), short);
    await stand.advance(2);
    await stand.isGone('after it expired', scope, handle(2));
  }
}

/** A claim that is put twice expires at the later of the two instants, whichever put promised it. */
export async function expires_at_the_later_of_two(stand: Stand): Promise<void> {
  const { scope } = stand;
  const twice = claim('put twice', 2);
  for (const [n, ttls] of [
    [1, [6, 2]],
    [2, [2, 6]],
  ] as const) {
    for (const ttl of ttls) await stand.put(scope, handle(n), twice, ttl);
  }
  await stand.advance(4);
  await stand.isWhole('put for 6 seconds, then for 2, after 4', scope, handle(1), twice);
  await stand.isWhole('put for 2 seconds, then for 6, after 4', scope, handle(2), twice);
  await stand.advance(4);
  await stand.isGone('put for 6 seconds and for 2, after 8', scope, handle(1));
  await stand.isGone('put for 2 seconds and for 6, after 8', scope, handle(2));
}

/** A claim does not live longer for being read. */
export async function fetch_does_not_prolong(stand: Stand): Promise<void> {
  const { scope } = stand;
  await stand.put(scope, handle(1), claim('read', 2), 4);
  await stand.advance(3);
  await stand.isWhole('after 3 of its 4 seconds', scope, handle(1), claim('read', 2));
  await stand.advance(2);
  await stand.isGone('fetched after 3 of its 4 seconds, after 5', scope, handle(1));
}

/** A put over an expired claim is a new claim: its own content, its own expiry. */
export async function put_after_expiry_is_new(stand: Stand): Promise<void> {
  const { scope } = stand;
  await stand.put(scope, handle(1), claim('old', 4), 1);
  await stand.advance(3);
  await stand.put(scope, handle(1), claim('new', 2), 4);
  await stand.isWhole('put over an expired one', scope, handle(1), claim('new', 2));
  await stand.advance(2);
  await stand.isWhole('put over an expired one, 2 of 4 seconds ago', scope, handle(1), claim('new', 2));
  await stand.advance(4);
  await stand.isGone('put over an expired one, and expired', scope, handle(1));
}

/** The longest life that can be asked for is given: 4294967295 seconds. */
export async function longest_ttl_is_kept(stand: Stand): Promise<void> {
  const { scope } = stand;
  await stand.put(scope, handle(1), claim('long-lived', 2), 0xffff_ffff);
  await stand.isWhole('put for 4294967295 seconds', scope, handle(1), claim('long-lived', 2));
  if (stand.setup.clock) {
    // A century, which is more milliseconds than 32 bits hold, and more seconds than 31 bits do.
    await stand.advance(3_155_760_000);
    await stand.isWhole('put for 136 years, after 100', scope, handle(1), claim('long-lived', 2));
  }
}
