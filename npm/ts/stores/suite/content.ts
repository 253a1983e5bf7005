import type { Claim } from '../../store.ts';
import { ALL, claim, claimOfBytes, equal, handle, LONG, part, RuleBroken, said, same, type Stand } from './stand.ts';

/** Manifest and pages come back exactly: line ends, spaces, NUL, combining characters, an empty page. */
export async function content_comes_back_exactly(stand: Stand): Promise<void> {
  const exact: Claim = {
    manifest: 'claim/1\r\nchars 7\n \n',
    pages: [
      'two\r\nlines, and a tab\t \n\n',
      '  spaces around  ',
      '',
      'a\0b',
      '\ufeffe\u0301 \u00e9 \u{1f469}\u200d\u{1f4bb} \ufe0f \ufeff \u2028 \u{10ffff}',
      '\'; DROP TABLE claim; -- \\ " % _ * {} $1 ?1 {"a":1}',
      '{"value":null}',
      'true',
    ],
  };
  await stand.put(stand.scope, handle(1), exact, LONG);
  await stand.isWhole('after put', stand.scope, handle(1), exact);
}

/** While a claim is put, it is whole for whoever reads it, or not there. */
export async function all_or_nothing(stand: Stand): Promise<void> {
  for (let n = 0; n < 24; n += 1) {
    const whole = claim('all or nothing', 1 + n);
    let isDone = false;
    const putting = stand.put(stand.scope, handle(n), whole, LONG).finally(() => {
      isDone = true;
    });
    // Its failure is reported below, when it is waited for.
    putting.catch(() => undefined);
    while (!isDone) {
      const held = await stand.found('while it is put', stand.scope, handle(n));
      if (held) same('while it is put', held, whole);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await putting;
    await stand.isWhole('after put', stand.scope, handle(n), whole);
  }
}

/** A put over a live claim whose pages are not what they were makes it whole. */
export async function put_over_damaged_makes_whole(stand: Stand): Promise<void> {
  const whole = claim('whole', 4);
  const damages: [string, Claim][] = [
    ['changed', { ...whole, pages: whole.pages.with(1, 'damaged') }],
    ['lost', part(whole, 0, 2)],
    ['added', { ...whole, pages: [...whole.pages, 'one too many'] }],
    ['given a manifest', { ...whole, manifest: 'damaged' }],
  ];
  for (const [n, [damage, damaged]] of damages.entries()) {
    await stand.put(stand.scope, handle(n), damaged, LONG);
    await stand.put(stand.scope, handle(n), whole, LONG);
    await stand.isWhole(`put over a claim of which something was ${damage}`, stand.scope, handle(n), whole);
  }
}

/** Past the last page there is the manifest and no page, whatever the numbers. */
export async function pages_past_the_end_are_none(stand: Stand): Promise<void> {
  const short = claim('short', 3);
  await stand.put(stand.scope, handle(1), short, LONG);
  for (const [first, count] of [
    [3, 1],
    [3, ALL],
    [4, 2],
    [ALL, 1],
    [ALL, ALL],
  ] as const) {
    const when = `${count} pages from ${first} on, of 3`;
    same(when, await stand.fetch(when, stand.scope, handle(1), first, count), part(short, 3, 0));
  }
}

/** A fetch gives the pages that it was asked for, and no others; beyond the end, fewer. */
export async function page_ranges_are_exact(stand: Stand): Promise<void> {
  const ranges = claim('ranges', 5);
  await stand.put(stand.scope, handle(1), ranges, LONG);
  for (const [first, count] of [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 2],
    [2, 1],
    [4, 1],
    [2, 0],
    [3, 9],
    [4, ALL],
    [0, 5],
  ] as const) {
    const when = `${count} pages from ${first} on, of 5`;
    same(when, await stand.fetch(when, stand.scope, handle(1), first, count), part(ranges, first, count));
  }
}

/** A claim of 64 MiB is kept, in 4096 pages. */
export async function large_claims_are_kept(stand: Stand): Promise<void> {
  const large = claimOfBytes('large', 64 * 2 ** 20);
  await stand.put(stand.scope, handle(1), large, LONG);
  await stand.isWhole('64 MiB', stand.scope, handle(1), large);
}

/** Puts that are made at once are all kept. */
export async function many_at_once_are_kept(stand: Stand): Promise<void> {
  const numbers = Array.from({ length: 32 }, (_, n) => n);
  const puts = numbers.map(async (n) => stand.store.put(stand.scope, handle(n), claim(`${n} of many`, 2), LONG));
  for (const put of await Promise.allSettled(puts)) {
    if (put.status === 'rejected') throw new RuleBroken(`one of many puts at once was refused: ${said(put.reason)}`);
  }
  for (const n of numbers) {
    await stand.isWhole('one of many puts at once', stand.scope, handle(n), claim(`${n} of many`, 2));
  }
  equal('forgotten of 32', await stand.forget({ tenant: stand.scope.tenant }), 32);
}
