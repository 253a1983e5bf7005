import type { Erasure, Scope } from '../../scope.ts';
import { type Claim, type ClaimStore, StoreError } from '../../store.ts';

/** A store under test: how it is opened, how its time passes, what it may hold. */
export interface StoreSetup {
  /** The store, or one more handle of it: all that this gives must be of one store. */
  open(): ClaimStore | Promise<ClaimStore>;
  /** By which the store's claims expire, and nobody else moves it; without it, real seconds pass. */
  readonly clock?: { advance(milliseconds: number): void | Promise<void> } | undefined;
  /** More than so many bytes of a tenant's are refused, at least 68 MiB; without it the rules of bounds are skipped. */
  readonly tenantBytes?: number | undefined;
}

/** How a store broke a rule. */
export class RuleBroken extends Error {
  override readonly name = 'RuleBroken';
}

/** So long, in seconds, that nothing expires while a rule is tried that is not about time. */
export const LONG = 86_400;
/** More pages than any claim has. */
export const ALL = 0xffff_ffff;
/** Real time is given so much more than was asked for, for clocks that are not this machine's. */
const MARGIN_MILLISECONDS = 250;

let count = 0;

/** One handle of the store, with the questions that many rules ask. */
export class Stand {
  readonly setup: StoreSetup;
  readonly store: ClaimStore;
  /** A run of a tenant that nobody has used before. */
  readonly scope: Scope;
  readonly #tenants: Set<string>;

  private constructor(setup: StoreSetup, store: ClaimStore, tenants: Set<string>, scope: Scope | undefined) {
    this.setup = setup;
    this.store = store;
    this.#tenants = tenants;
    this.scope = scope ?? { tenant: this.newTenant(), run: 'run' };
  }

  static async open(setup: StoreSetup): Promise<Stand> {
    return new Stand(setup, await setup.open(), new Set(), undefined);
  }

  /** The same scope, by another handle of the store. */
  async reopened(): Promise<Stand> {
    return new Stand(this.setup, await this.setup.open(), this.#tenants, this.scope);
  }

  /** A tenant that nobody has used before; it is forgotten when the rule has been tried. */
  newTenant(): string {
    count += 1;
    const number = `${Math.random().toString(36).slice(2, 8)}-${String(count).padStart(8, '0')}`;
    return this.using(`suite-${String(Date.now()).padStart(16, '0')}-${number}.`);
  }

  /** A tenant that is forgotten when the rule has been tried. */
  using(tenant: string): string {
    this.#tenants.add(tenant);
    return tenant;
  }

  /** Forgets all tenants that were used. */
  async clear(): Promise<void> {
    for (const tenant of this.#tenants) {
      try {
        await this.store.forget({ tenant });
      } catch {
        // Whether it can forget is a rule's business.
      }
    }
  }

  async put(scope: Scope, handle: string, claim: Claim, ttlSeconds: number): Promise<void> {
    try {
      await this.store.put(scope, handle, claim, ttlSeconds);
    } catch (error) {
      throw new RuleBroken(`put was refused: ${said(error)}`, { cause: error });
    }
  }

  async fetch(when: string, scope: Scope, handle: string, first: number, count: number): Promise<Claim> {
    try {
      return await this.store.fetch(scope, handle, first, count);
    } catch (error) {
      throw new RuleBroken(`${when}: fetch was refused: ${said(error)}`, { cause: error });
    }
  }

  async forget(what: Erasure): Promise<number> {
    try {
      return await this.store.forget(what);
    } catch (error) {
      throw new RuleBroken(`forget was refused: ${said(error)}`, { cause: error });
    }
  }

  async advance(seconds: number): Promise<void> {
    if (this.setup.clock) await this.setup.clock.advance(seconds * 1000);
    else await new Promise((resolve) => setTimeout(resolve, seconds * 1000 + MARGIN_MILLISECONDS));
  }

  /** The claim is there, all of it. */
  async isWhole(when: string, scope: Scope, handle: string, claim: Claim): Promise<void> {
    same(when, await this.fetch(when, scope, handle, 0, ALL), claim);
  }

  /** No claim is there. */
  async isGone(when: string, scope: Scope, handle: string): Promise<void> {
    if ((await this.found(when, scope, handle)) !== undefined) throw new RuleBroken(`${when}: the claim is served`);
  }

  /** The claim, or nothing where the store answers `not-found`. */
  async found(when: string, scope: Scope, handle: string): Promise<Claim | undefined> {
    try {
      return await this.store.fetch(scope, handle, 0, ALL);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not-found') return undefined;
      throw new RuleBroken(`${when}: fetch answered not not-found but: ${said(error)}`, { cause: error });
    }
  }
}

export function equal(what: string, got: unknown, expected: unknown): void {
  if (got !== expected) throw new RuleBroken(`${what}: ${String(got)} in place of ${String(expected)}`);
}

/** Says where they differ and not what they hold, which may be 64 MiB. */
export function same(when: string, held: Claim, claim: Claim): void {
  if (held.manifest !== claim.manifest) throw new RuleBroken(`${when}: the manifest is another one`);
  equal(`${when}: pages`, held.pages.length, claim.pages.length);
  const number = claim.pages.findIndex((page, index) => page !== held.pages[index]);
  if (number >= 0) throw new RuleBroken(`${when}: page ${number} is another one`);
}

/** The n-th handle of a rule. */
export function handle(n: number): string {
  return `claim:${n.toString(16).padStart(32, '0')}`;
}

/** A claim of so many pages, which says its name on every page. */
export function claim(name: string, pages: number): Claim {
  return {
    manifest: `claim/1\nof ${name}\n`,
    pages: Array.from({ length: pages }, (_, number) => `${name}, page ${number}. `.repeat(20)),
  };
}

/** A claim of about so many bytes, in pages of 16384. */
export function claimOfBytes(name: string, bytes: number): Claim {
  const pages = Array.from({ length: Math.ceil(bytes / 16_384) }, (_, number) => {
    const line = `${name}, page ${number}. `;
    return line.repeat(Math.ceil(16_384 / line.length)).slice(0, 16_384);
  });
  return { manifest: `claim/1\nof ${name}\n`, pages };
}

/** Pages of a claim as a fetch has to give them. */
export function part(whole: Claim, first: number, count: number): Claim {
  return { manifest: whole.manifest, pages: whole.pages.slice(first, first + count) };
}

/** An error in words, with its code where it is a store's. */
export function said(error: unknown): string {
  if (error instanceof StoreError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
