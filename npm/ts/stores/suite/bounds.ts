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

const CONTENT = 'what fills it';

interface Filled {
  readonly first: Claim;
  readonly kept: readonly Claim[];
  readonly refusal: unknown;
}

async function fill(stand: Stand): Promise<Filled> {
  const bound = stand.setup.tenantBytes ?? 0;
  const kept: Claim[] = [];
  for (let n = 0; n < 9; n += 1) {
    const next = claimOfBytes(`${CONTENT}, number ${n}`, bound / 8);
    try {
      await stand.store.put(stand.scope, handle(n), next, LONG);
    } catch (refusal) {
      const [first] = kept;
      if (first) return { first, kept, refusal };
      throw new RuleBroken(`an eighth of the bound is refused at once: ${said(refusal)}`, { cause: refusal });
    }
    kept.push(next);
  }
  throw new RuleBroken(`9 claims of an eighth of ${bound} bytes fit`);
}
