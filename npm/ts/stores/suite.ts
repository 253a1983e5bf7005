/**
 * The rules that every `ClaimStore` keeps, as code: run them on yours, with any test runner.
 *
 * ```ts
 * import { test } from 'node:test';
 * import { ManualClock, rules, type StoreSetup } from 'claim-check/store-suite';
 * import { MyStore } from './my-store.ts';
 *
 * const clock = new ManualClock();
 * const store = new MyStore({ now: clock.now, tenantBytes: 80 * 2 ** 20 });
 * const setup: StoreSetup = { open: () => store, clock, tenantBytes: 80 * 2 ** 20 };
 * for (const rule of rules) test(rule.name, () => rule.check(setup));
 * ```
 *
 * A store that takes no clock is tested in real time: leave `clock` out, and the run takes about half a minute. One
 * that declares no bound can't show the five rules of bounds; skip them with {@link Rule.skipped}.
 *
 * The suite writes up to 64 MiB, or the bound where that is more, under tenants whose names begin with `suite-`, and
 * forgets them when it is done. Content is opaque to a store, and what the suite puts is not what `check-in` makes.
 * Rules may be added in any version.
 *
 * What it can't show, because it needs a crash, a power failure or a look at the medium: that a put that was cut off
 * leaves nothing, that what was acknowledged lasts, that what was forgotten is gone from the disk.
 *
 * @module
 */
import {
  expired_makes_room,
  full_is_refused_as_full,
  full_loses_nothing,
  refusals_hold_no_content,
  refused_leaves_nothing,
} from './suite/bounds.ts';
import {
  all_or_nothing,
  content_comes_back_exactly,
  large_claims_are_kept,
  many_at_once_are_kept,
  page_ranges_are_exact,
  pages_past_the_end_are_none,
  put_over_damaged_makes_whole,
} from './suite/content.ts';
import {
  forget_counts_live_claims,
  forget_of_nothing_counts_none,
  forget_takes_a_whole_tenant,
  forget_takes_one_run,
  forgotten_stays_forgotten,
  put_after_forget_is_new,
} from './suite/forgetting.ts';
import {
  case_matters,
  foreign_scopes_see_nothing,
  names_are_not_patterns,
  runs_are_not_paths,
  scopes_are_not_joined,
  two_handles_are_one_store,
} from './suite/scopes.ts';
import { RuleBroken, said, Stand, type StoreSetup } from './suite/stand.ts';
import {
  expires_at_the_instant,
  expires_at_the_later_of_two,
  fetch_does_not_prolong,
  longest_ttl_is_kept,
  put_after_expiry_is_new,
} from './suite/time.ts';

export { ManualClock } from './suite/clock.ts';
export { RuleBroken, type StoreSetup } from './suite/stand.ts';

/** A rule has to be shown within this time; a store that hangs breaks it. */
const PATIENCE_MILLISECONDS = 120_000;

/** One rule that every `ClaimStore` keeps. */
export interface Rule {
  /** What it is called, for reports; the same as in the Rust suite. */
  readonly name: string;
  /** Whether it can be shown only where the store declares a bound. */
  readonly needsBound: boolean;
  /** Why it can't be shown with this setup; nothing where it can. A test runner's `skip` takes it. */
  skipped(setup: StoreSetup): string | undefined;
  /**
   * Tries the rule, and resolves where the store keeps it, as far as this can see.
   *
   * @throws {@link RuleBroken} where it does not, with how; or where the rule can't be shown with this setup.
   */
  check(setup: StoreSetup): Promise<void>;
}

/** What became of one rule. */
export interface RuleResult {
  readonly rule: string;
  /** Whether the store was seen to keep it. A rule that was skipped is not ok. */
  readonly ok: boolean;
  /** How it was broken. */
  readonly error?: Error;
  /** Why it was not tried. */
  readonly skipped?: string;
}

type Check = (stand: Stand) => Promise<void>;

/** Every rule, in the order in which {@link run} tries them. */
export const rules: readonly Rule[] = [
  ...rulesOf(false, {
    content_comes_back_exactly,
    all_or_nothing,
    put_over_damaged_makes_whole,
    pages_past_the_end_are_none,
    page_ranges_are_exact,
    large_claims_are_kept,
    many_at_once_are_kept,
    foreign_scopes_see_nothing,
    scopes_are_not_joined,
    runs_are_not_paths,
    names_are_not_patterns,
    case_matters,
    two_handles_are_one_store,
    forget_takes_one_run,
    forget_takes_a_whole_tenant,
    forget_counts_live_claims,
    forget_of_nothing_counts_none,
    forgotten_stays_forgotten,
    put_after_forget_is_new,
    expires_at_the_instant,
    expires_at_the_later_of_two,
    fetch_does_not_prolong,
    put_after_expiry_is_new,
    longest_ttl_is_kept,
  }),
  ...rulesOf(true, {
    full_is_refused_as_full,
    full_loses_nothing,
    refused_leaves_nothing,
    refusals_hold_no_content,
    expired_makes_room,
  }),
];

/** Tries every rule, one after the other, and says what became of each. */
export async function run(setup: StoreSetup): Promise<RuleResult[]> {
  const results: RuleResult[] = [];
  for (const rule of rules) results.push(await resultOf(rule, setup));
  return results;
}

async function resultOf(rule: Rule, setup: StoreSetup): Promise<RuleResult> {
  const skipped = rule.skipped(setup);
  if (skipped !== undefined) return { rule: rule.name, ok: false, skipped };
  try {
    await rule.check(setup);
    return { rule: rule.name, ok: true };
  } catch (error) {
    return { rule: rule.name, ok: false, error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function rulesOf(needsBound: boolean, checks: Record<string, Check>): Rule[] {
  return Object.entries(checks).map(([name, check]) => {
    const skipped = (setup: StoreSetup) =>
      needsBound && setup.tenantBytes === undefined ? 'the setup declares no bound: give tenantBytes' : undefined;
    return { name, needsBound, skipped, check: (setup) => tried(check, setup, skipped(setup)) };
  });
}

async function tried(check: Check, setup: StoreSetup, skipped: string | undefined): Promise<void> {
  if (skipped !== undefined) throw new RuleBroken(skipped);
  const stand = await Stand.open(setup);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isSilent = true;
      reject(new RuleBroken(`no answer within ${PATIENCE_MILLISECONDS} ms`));
    }, PATIENCE_MILLISECONDS);
  });
  try {
    await Promise.race([check(stand), silence]);
  } catch (error) {
    // What is thrown here and is no verdict comes from a claim that is not one: no pages, say.
    throw error instanceof RuleBroken
      ? error
      : new RuleBroken(`an answer can't be read: ${said(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    if (!isSilent) await stand.clear();
  }
}
