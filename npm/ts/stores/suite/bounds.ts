import { type Claim, StoreError } from '../../store.ts';
import { claim, claimOfBytes, handle, LONG, RuleBroken, said, type Stand } from './stand.ts';

/** A tenant can't hold more than the bound: what exceeds it is refused as `full`. */
export async function full_is_refused_as_full(stand: Stand): Promise<void> {
  const { refusal } = await fill(stand);
  if (!(refusal instanceof StoreError && refusal.code === 'full')) {
    throw new RuleBroken(`refused not as full, but: ${said(refusal)}`, { cause: refusal });
  }
}

/** A full tenant keeps what it has, can put that again, hinders no other tenant, and has room again after a forget. */
export async function full_loses_nothing(stand: Stand): Promise<void> {
  const { scope } = stand;
  const { first, kept } = await fill(stand);
  for (const [n, whole] of kept.entries())
    await stand.isWhole('kept by a tenant that is full', scope, handle(n), whole);
  await stand.put(scope, handle(0), first, LONG);
  await stand.put({ tenant: stand.newTenant(), run: 'run' }, handle(1), claim('of another tenant', 2), LONG);
  await stand.forget({ tenant: scope.tenant });
  await stand.put(scope, handle(0), first, LONG);
  await stand.isWhole('put after a full tenant was forgotten', scope, handle(0), first);
}

/** Nothing is kept of what was refused. */
export async function refused_leaves_nothing(stand: Stand): Promise<void> {
  const { kept } = await fill(stand);
  await stand.isGone('refused', stand.scope, handle(kept.length));
}

/** What a refusal says holds nothing of what was to be kept. */
export async function refusals_hold_no_content(stand: Stand): Promise<void> {
  const { refusal } = await fill(stand);
  if (said(refusal).includes(CONTENT)) throw new RuleBroken("the error's text quotes the content");
}

/**
 * What has expired makes room: a tenant that was full can put again, at the latest with the eighth put, a second after
 * the one before. So a store may sweep a bit in every put or in a task, and may not wait to be asked.
 */
export async function expired_makes_room(stand: Stand): Promise<void> {
  const { scope } = stand;
  const seconds = stand.setup.clock ? 60 : await timeToFill(stand);
  const { kept, refusal } = await fill(stand, seconds);
  await stand.advance(seconds);
  const next = filling(stand, kept.length);
  let last = refusal;
  for (let n = 0; n < MOST_PUTS; n += 1) {
    try {
      await stand.store.put(scope, handle(kept.length), next, LONG);
    } catch (error) {
      last = error;
      await stand.advance(1);
      continue;
    }
    await stand.isWhole('put after what filled it expired', scope, handle(kept.length), next);
    return;
  }
  const how = `all that was held has expired, and ${MOST_PUTS} puts, a second apart, were refused; the last`;
  throw new RuleBroken(`${how}: ${said(last)}`, { cause: last });
}

/** How many puts a store may refuse before what has expired has made room. */
const MOST_PUTS = 8;

/** In real time nothing may expire before the tenant is full: how many seconds that takes, and as many again. */
async function timeToFill(stand: Stand): Promise<number> {
  const began = performance.now();
  await fill(stand);
  await stand.forget({ tenant: stand.scope.tenant });
  return 2 + 2 * Math.floor((performance.now() - began) / 1000);
}

const CONTENT = 'what fills it';

interface Filled {
  readonly first: Claim;
  readonly kept: readonly Claim[];
  readonly refusal: unknown;
}

function filling(stand: Stand, n: number): Claim {
  return claimOfBytes(`${CONTENT}, number ${n}`, (stand.setup.tenantBytes ?? 0) / 8);
}

async function fill(stand: Stand, ttlSeconds: number = LONG): Promise<Filled> {
  const kept: Claim[] = [];
  for (let n = 0; n < 9; n += 1) {
    const next = filling(stand, n);
    try {
      await stand.store.put(stand.scope, handle(n), next, ttlSeconds);
    } catch (refusal) {
      const [first] = kept;
      if (first) return { first, kept, refusal };
      throw new RuleBroken(`an eighth of the bound is refused at once: ${said(refusal)}`, { cause: refusal });
    }
    kept.push(next);
  }
  throw new RuleBroken(`9 claims of an eighth of ${stand.setup.tenantBytes} bytes fit`);
}
