import type { Scope } from '../../scope.ts';
import { claim, handle, LONG, type Stand } from './stand.ts';

/** A handle opens nothing in another run or another tenant, and one handle in two scopes is two claims. */
export async function foreign_scopes_see_nothing(stand: Stand): Promise<void> {
  const { scope } = stand;
  const otherRun = { tenant: scope.tenant, run: 'other-run' };
  const otherTenant = { tenant: stand.newTenant(), run: scope.run };
  await stand.put(scope, handle(1), claim('mine', 2), LONG);
  await stand.isGone('asked for in another run', otherRun, handle(1));
  await stand.isGone('asked for in another tenant', otherTenant, handle(1));
  await stand.put(otherRun, handle(1), claim("the other run's", 3), LONG);
  await stand.put(otherTenant, handle(1), claim("the other tenant's", 4), LONG);
  const when = 'one handle in three scopes';
  await stand.isWhole(when, scope, handle(1), claim('mine', 2));
  await stand.isWhole(when, otherRun, handle(1), claim("the other run's", 3));
  await stand.isWhole(when, otherTenant, handle(1), claim("the other tenant's", 4));
}

/** No two pairs of tenant and run are one, whatever a store would join them by. */
export async function scopes_are_not_joined(stand: Stand): Promise<void> {
  const { tenant } = stand.scope;
  const joints = ['/', ':', '|', '-', '.', '_', ',', ' ', '\u001f', ''];
  await eachKeepsItsOwn(
    stand,
    joints.flatMap((joint) => [
      { tenant, run: `a${joint}b` },
      { tenant: `${tenant}${joint}a`, run: 'b' },
    ]),
  );
}

/** `../x` is a run like any other, and so are its kin, and the names that JavaScript gives a meaning to. */
export async function runs_are_not_paths(stand: Stand): Promise<void> {
  const runs = [
    'x',
    '../x',
    './x',
    '/x',
    'x/',
    'y/../x',
    '//x',
    '..',
    '.',
    '/',
    '../../etc/passwd',
    '..\\x',
    'C:\\x',
    '%2e%2e/x',
    'x ',
    ' x',
    'x.',
    '~/x',
    'CON',
    'x\u2215y',
    '__proto__',
    'constructor',
    'toString',
  ];
  await eachKeepsItsOwn(
    stand,
    runs.map((run) => ({ tenant: stand.scope.tenant, run })),
  );
}

/** A tenant whose name looks like a pattern is forgotten alone. */
export async function names_are_not_patterns(stand: Stand): Promise<void> {
  const { tenant } = stand.scope;
  const bystander = { tenant: stand.using(`${tenant}bystander`), run: 'run' };
  await stand.put(bystander, handle(1), claim('bystander', 2), LONG);
  for (const pattern of ['%', '*', '_________', '?????????', '.*', '[a-z]*']) {
    const named = { tenant: stand.using(`${tenant}${pattern}`), run: 'run' };
    await stand.put(named, handle(2), claim('named like a pattern', 2), LONG);
    await stand.forget({ tenant: named.tenant });
    const when = `after the tenant …${pattern} was forgotten`;
    await stand.isGone(when, named, handle(2));
    await stand.isWhole(when, bystander, handle(1), claim('bystander', 2));
  }
}

/** Names that differ in case, or look alike, are different. */
export async function case_matters(stand: Stand): Promise<void> {
  const lower = `${stand.scope.tenant}a`;
  const upper = `${stand.scope.tenant}A`;
  await eachKeepsItsOwn(stand, [
    { tenant: lower, run: 'run' },
    { tenant: upper, run: 'run' },
    { tenant: lower, run: 'Run' },
    { tenant: upper, run: 'RUN' },
    { tenant: lower, run: 'stra\u00dfe' },
    { tenant: lower, run: 'strasse' },
    { tenant: lower, run: '\u00e9' },
    { tenant: lower, run: 'e\u0301' },
    { tenant: lower, run: '\u00c9' },
  ]);
}

/** What one handle of the store has put or forgotten, the other one sees. */
export async function two_handles_are_one_store(stand: Stand): Promise<void> {
  const other = await stand.reopened();
  const { scope } = stand;
  await stand.put(scope, handle(1), claim('shared', 2), LONG);
  await other.isWhole('put by another handle of the store', scope, handle(1), claim('shared', 2));
  await other.forget({ tenant: scope.tenant });
  await stand.isGone('forgotten by another handle of the store', scope, handle(1));
}

async function eachKeepsItsOwn(stand: Stand, scopes: readonly Scope[]): Promise<void> {
  const distinct = new Map(scopes.map((scope) => [JSON.stringify([scope.tenant, scope.run]), scope]));
  const name = ({ tenant, run }: Scope) =>
    `of run ${JSON.stringify(run)} in tenant …${tenant.slice(stand.scope.tenant.length)}`;
  for (const scope of distinct.values()) {
    stand.using(scope.tenant);
    await stand.put(scope, handle(1), claim(name(scope), 2), LONG);
  }
  for (const scope of distinct.values()) {
    await stand.isWhole(`the claim ${name(scope)}`, scope, handle(1), claim(name(scope), 2));
  }
}
