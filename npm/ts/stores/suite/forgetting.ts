import { claim, equal, handle, LONG, type Stand } from './stand.ts';

/** To forget a run leaves the tenant's other runs and other tenants' runs of that name alone. */
export async function forget_takes_one_run(stand: Stand): Promise<void> {
  const { scope } = stand;
  const otherRun = { tenant: scope.tenant, run: 'run2' };
  const otherTenant = { tenant: stand.newTenant(), run: scope.run };
  for (const [n, put] of [scope, scope, otherRun, otherTenant].entries()) {
    await stand.put(put, handle(n), claim('to forget', 2), LONG);
  }
  equal('claims of the run', await stand.forget({ run: scope }), 2);
  await stand.isGone('after its run was forgotten', scope, handle(0));
  await stand.isGone('after its run was forgotten', scope, handle(1));
  await stand.isWhole('after another run was forgotten', otherRun, handle(2), claim('to forget', 2));
  await stand.isWhole('after another run was forgotten', otherTenant, handle(3), claim('to forget', 2));
}

/** To forget a tenant takes all of its runs, and leaves other tenants alone, whatever their names begin with. */
export async function forget_takes_a_whole_tenant(stand: Stand): Promise<void> {
  const { tenant, run } = stand.scope;
  const longer = { tenant: stand.using(`${tenant}longer`), run };
  const shorter = { tenant: stand.using(tenant.slice(0, -1)), run };
  const runs = ['run', 'run2', '../run'].map((name) => ({ tenant, run: name }));
  for (const [n, put] of [...runs, longer, shorter].entries()) {
    await stand.put(put, handle(n), claim('to forget', 2), LONG);
  }
  equal('claims of the tenant', await stand.forget({ tenant }), 3);
  for (const [n, scope] of runs.entries()) await stand.isGone('after its tenant was forgotten', scope, handle(n));
  const when = 'after a tenant of similar name was forgotten';
  await stand.isWhole(when, longer, handle(3), claim('to forget', 2));
  await stand.isWhole(when, shorter, handle(4), claim('to forget', 2));
}

/** `forget` counts the claims that were live: once if they were put twice, not at all if they had expired. */
export async function forget_counts_live_claims(stand: Stand): Promise<void> {
  const { scope } = stand;
  await stand.put(scope, handle(1), claim('once', 2), LONG);
  await stand.put(scope, handle(2), claim('twice', 2), LONG);
  await stand.put(scope, handle(2), claim('twice', 2), LONG);
  await stand.put(scope, handle(3), claim('expired', 2), 1);
  await stand.advance(3);
  equal('live claims, of 2 and an expired one', await stand.forget({ tenant: scope.tenant }), 2);
}

/** To forget what is not there is no error. */
export async function forget_of_nothing_counts_none(stand: Stand): Promise<void> {
  const { scope } = stand;
  equal('claims of an unknown tenant', await stand.forget({ tenant: scope.tenant }), 0);
  equal('claims of an unknown run', await stand.forget({ run: scope }), 0);
  await stand.put(scope, handle(1), claim('to forget', 2), LONG);
  await stand.forget({ tenant: scope.tenant });
  equal('claims of a forgotten tenant', await stand.forget({ tenant: scope.tenant }), 0);
}

/** Nothing brings back what was forgotten: no time, no other put, no new handle of the store. */
export async function forgotten_stays_forgotten(stand: Stand): Promise<void> {
  const { scope } = stand;
  await stand.put(scope, handle(1), claim('to forget', 2), LONG);
  await stand.forget({ tenant: scope.tenant });
  await stand.isGone('after it was forgotten', scope, handle(1));
  await stand.put(scope, handle(2), claim('later', 2), LONG);
  await stand.isGone('forgotten, and another one put', scope, handle(1));
  await stand.advance(2);
  await stand.isGone('forgotten, some time ago', scope, handle(1));
  const again = await stand.reopened();
  await again.isGone('forgotten, and asked for by another handle of the store', scope, handle(1));
}

/** A claim that is put after a forget is a new one, and expires as it says itself. */
export async function put_after_forget_is_new(stand: Stand): Promise<void> {
  const { scope } = stand;
  await stand.put(scope, handle(1), claim('old', 4), LONG);
  await stand.forget({ tenant: scope.tenant });
  await stand.put(scope, handle(1), claim('new', 2), 2);
  await stand.isWhole('put after a forget', scope, handle(1), claim('new', 2));
  await stand.advance(4);
  await stand.isGone('put after a forget, and expired', scope, handle(1));
}
