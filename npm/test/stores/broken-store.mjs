// Stores that each break one rule, so that the store suite is seen to notice it and to blame no other.
import { MemoryStore } from '../../dist/stores/memory.js';
import { StoreError } from '../../dist/store.js';

export const BOUND = 80 * 2 ** 20;
const ALL = 0xffff_ffff;

/** A sound store. Each flaw overrides what it gets wrong. */
class Sound {
  constructor(clock) {
    this.clock = clock;
    this.inner = new MemoryStore({ now: clock.now, tenantBytes: BOUND, totalBytes: 2 ** 30 });
    /** Every key in which something was put: the scope, the handle, the puts, the expiry. */
    this.notes = new Map();
  }

  /** Where the inner store keeps what is put in this scope. */
  place(scope) {
    return scope;
  }

  async put(scope, handle, claim, ttl) {
    this.inner.put(this.place(scope), handle, claim, ttl);
    this.note(scope, handle, ttl);
  }

  async fetch(scope, handle, first, count) {
    return this.inner.fetch(this.place(scope), handle, first, count);
  }

  async forget(what) {
    const meant = this.noted((scope) => covers(what, scope));
    this.strike(what);
    return this.forgetPlaces(meant);
  }

  note(scope, handle, ttl) {
    const key = JSON.stringify([scope.tenant, scope.run, handle]);
    const now = this.clock.now();
    const held = this.notes.get(key);
    const note = held && held.expiry > now ? held : { scope, handle, puts: 0, expiry: now + ttl * 1000 };
    note.puts += 1;
    this.notes.set(key, note);
  }

  strike(what) {
    for (const [key, note] of this.notes) if (covers(what, note.scope)) this.notes.delete(key);
  }

  noted(isMeant) {
    return [...this.notes.values()].map((note) => note.scope).filter(isMeant);
  }

  forgetPlaces(scopes) {
    const places = new Map(
      scopes.map((scope) => this.place(scope)).map((place) => [JSON.stringify([place.tenant, place.run]), place]),
    );
    return [...places.values()].reduce((live, run) => live + this.inner.forget({ run }), 0);
  }

  held(scope, handle) {
    try {
      return this.inner.fetch(this.place(scope), handle, 0, ALL);
    } catch {
      return undefined;
    }
  }
}

function covers(what, scope) {
  return what.run ? what.run.tenant === scope.tenant && what.run.run === scope.run : what.tenant === scope.tenant;
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Each flaw: its name, the one rule that it breaks, and the store that has it. */
export const FLAWS = [
  flaw('changes line ends', 'content_comes_back_exactly', {
    put: (sound, scope, handle, claim, ttl) =>
      sound.put(scope, handle, { ...claim, pages: claim.pages.map((page) => page.replaceAll('\r\n', '\n')) }, ttl),
  }),
  flaw('parses what looks like JSON', 'content_comes_back_exactly', {
    fetch: async (sound, ...asked) => {
      const claim = await sound.fetch(...asked);
      return { ...claim, pages: claim.pages.map((page) => (page === 'true' ? true : page)) };
    },
  }),
  flaw('writes page by page', 'all_or_nothing', {
    put: async (sound, scope, handle, claim, ttl) => {
      // What is refused or is not new is written at once, so that no other rule sees it.
      if (claim.pages.length < 20 && !sound.held(scope, handle)) {
        await sound.put(scope, handle, { ...claim, pages: claim.pages.slice(0, 1) }, ttl);
        await tick();
        await tick();
        if (!sound.held(scope, handle)) return;
      }
      await sound.put(scope, handle, claim, ttl);
    },
  }),
  flaw('keeps the first', 'put_over_damaged_makes_whole', {
    put: (sound, scope, handle, claim, ttl) => sound.put(scope, handle, sound.held(scope, handle) ?? claim, ttl),
  }),
  flaw('misses past the end', 'pages_past_the_end_are_none', {
    fetch: async (sound, scope, handle, first, count) => {
      const claim = await sound.fetch(scope, handle, first, count);
      if (claim.pages.length === 0 && count > 0) throw new StoreError('not-found', 'no such page');
      return claim;
    },
  }),
  flaw('gives a page more', 'page_ranges_are_exact', {
    fetch: (sound, scope, handle, first, count) => sound.fetch(scope, handle, first, count + 1),
  }),
  flaw('refuses over 32 MiB', 'large_claims_are_kept', {
    put: async (sound, scope, handle, claim, ttl) => {
      if (claim.pages.length > 2048) throw new StoreError('full', 'too large');
      await sound.put(scope, handle, claim, ttl);
    },
  }),
  flaw('loses races', 'many_at_once_are_kept', {
    put: async (sound, ...put) => {
      if (sound.isPutting) return;
      sound.isPutting = true;
      try {
        await Promise.resolve();
        await sound.put(...put);
      } finally {
        sound.isPutting = false;
      }
    },
  }),
  flaw('ignores the run', 'foreign_scopes_see_nothing', {
    fetch: (sound, scope, ...asked) => foreign(sound, scope, asked, (other) => other.tenant === scope.tenant),
  }),
  flaw('ignores the tenant', 'foreign_scopes_see_nothing', {
    fetch: (sound, scope, ...asked) => foreign(sound, scope, asked, (other) => other.run === scope.run),
  }),
  flaw('joins names', 'scopes_are_not_joined', {
    place: ({ tenant, run }) => ({ tenant: `${tenant}/${run}`, run: 'run' }),
  }),
  flaw('resolves paths', 'runs_are_not_paths', { place: ({ tenant, run }) => ({ tenant, run: resolved(run) }) }),
  flaw('takes names for patterns', 'names_are_not_patterns', {
    forget: (sound, what) => {
      const at = what.tenant?.indexOf('%') ?? -1;
      if (at < 0) return sound.forget(what);
      return sound.forgetPlaces(sound.noted((scope) => scope.tenant.startsWith(what.tenant.slice(0, at))));
    },
  }),
  flaw('folds case', 'case_matters', {
    place: ({ tenant, run }) => ({ tenant: tenant.toLowerCase(), run: run.toLowerCase() }),
  }),
  flaw('normalises', 'case_matters', { place: ({ tenant, run }) => ({ tenant, run: run.normalize('NFC') }) }),
  flaw('shares nothing', 'two_handles_are_one_store', {}),
  flaw('forgets the whole tenant', 'forget_takes_one_run', {
    forget: (sound, what) => sound.forget(what.run ? { tenant: what.run.tenant } : what),
  }),
  flaw('forgets one run', 'forget_takes_a_whole_tenant', {
    forget: async (sound, what) =>
      what.run ? sound.forget(what) : sound.forgetPlaces(sound.noted((scope) => covers(what, scope)).slice(0, 1)),
  }),
  flaw('forgets by prefix', 'forget_takes_a_whole_tenant', {
    forget: async (sound, what) =>
      what.run ? sound.forget(what) : sound.forgetPlaces(sound.noted((scope) => scope.tenant.startsWith(what.tenant))),
  }),
  flaw('counts expired claims', 'forget_counts_live_claims', {
    forget: async (sound, what) => {
      const count = [...sound.notes.values()].filter((note) => covers(what, note.scope)).length;
      await sound.forget(what);
      return count;
    },
  }),
  flaw('counts puts', 'forget_counts_live_claims', {
    forget: async (sound, what) => {
      const live = [...sound.notes.values()].filter(
        (note) => covers(what, note.scope) && note.expiry > sound.clock.now(),
      );
      await sound.forget(what);
      return live.reduce((puts, note) => puts + note.puts, 0);
    },
  }),
  flaw('complains of nothing', 'forget_of_nothing_counts_none', {
    forget: async (sound, what) => {
      const live = await sound.forget(what);
      if (live === 0) throw new StoreError('not-found', 'nothing to forget');
      return live;
    },
  }),
  flaw('revives what was forgotten', 'forgotten_stays_forgotten', {
    forget: async (sound, what) => {
      sound.graves = [...sound.notes.values()]
        .filter((note) => covers(what, note.scope))
        .map((note) => ({ ...note, claim: sound.held(note.scope, note.handle) }));
      return sound.forget(what);
    },
    put: async (sound, scope, handle, claim, ttl) => {
      await sound.put(scope, handle, claim, ttl);
      for (const grave of sound.graves ?? []) {
        if (grave.claim && grave.handle !== handle && covers({ run: scope }, grave.scope)) {
          await sound.put(grave.scope, grave.handle, grave.claim, 3600);
        }
      }
      sound.graves = [];
    },
  }),
  flaw('remembers an expiry', 'put_after_forget_is_new', {
    put: async (sound, scope, handle, claim, ttl) => {
      const key = JSON.stringify([scope.tenant, scope.run, handle]);
      sound.longest ??= new Map();
      sound.longest.set(key, Math.max(ttl, sound.longest.get(key) ?? 0));
      await sound.put(scope, handle, claim, sound.longest.get(key));
    },
  }),
  flaw('lets claims live a second longer', 'expires_at_the_instant', {
    put: (sound, scope, handle, claim, ttl) => sound.put(scope, handle, claim, Math.min(ttl + 1, ALL)),
  }),
  flaw('takes the last expiry', 'expires_at_the_later_of_two', {
    put: async (sound, scope, handle, claim, ttl) => {
      sound.last ??= new Map();
      sound.last.set(JSON.stringify([scope, handle]), sound.clock.now() + ttl * 1000);
      await sound.put(scope, handle, claim, ttl);
    },
    fetch: async (sound, scope, handle, ...asked) => {
      if (sound.last?.get(JSON.stringify([scope, handle])) <= sound.clock.now())
        throw new StoreError('not-found', 'expired');
      return sound.fetch(scope, handle, ...asked);
    },
  }),
  flaw('takes the first expiry', 'expires_at_the_later_of_two', {
    fetch: async (sound, scope, handle, ...asked) => {
      const note = sound.notes.get(JSON.stringify([scope.tenant, scope.run, handle]));
      if (note && note.expiry <= sound.clock.now()) throw new StoreError('not-found', 'expired');
      return sound.fetch(scope, handle, ...asked);
    },
  }),
  flaw('prolongs on fetch', 'fetch_does_not_prolong', {
    fetch: async (sound, scope, handle, ...asked) => {
      const claim = await sound.fetch(scope, handle, ...asked);
      await sound.put(scope, handle, sound.held(scope, handle), 3);
      return claim;
    },
  }),
  flaw('buries what expired', 'put_after_expiry_is_new', {
    put: async (sound, scope, handle, claim, ttl) => {
      const note = sound.notes.get(JSON.stringify([scope.tenant, scope.run, handle]));
      if (!note || note.expiry > sound.clock.now()) await sound.put(scope, handle, claim, ttl);
    },
  }),
  flaw('counts milliseconds in 32 bits', 'longest_ttl_is_kept', {
    put: (sound, scope, handle, claim, ttl) =>
      sound.put(scope, handle, claim, Math.floor(((ttl * 1000) % 2 ** 32) / 1000)),
  }),
  flaw('refuses as failed', 'full_is_refused_as_full', {
    put: (sound, ...put) => onFull(sound, put, (full) => new StoreError('failed', full.message)),
  }),
  flaw('loses all when full', 'full_loses_nothing', {
    put: (sound, scope, ...put) =>
      onFull(sound, [scope, ...put], (full) => {
        sound.inner.forget({ run: scope });
        return full;
      }),
  }),
  flaw('keeps a part of what it refuses', 'refused_leaves_nothing', {
    put: (sound, scope, handle, claim, ttl) =>
      onFull(sound, [scope, handle, claim, ttl], (full) => {
        sound.inner.put(scope, handle, { ...claim, pages: claim.pages.slice(0, 1) }, ttl);
        return full;
      }),
  }),
  flaw('quotes content', 'refusals_hold_no_content', {
    put: (sound, scope, handle, claim, ttl) =>
      onFull(sound, [scope, handle, claim, ttl], () => new StoreError('full', `no room for ${claim.pages[0]}`)),
  }),
  flaw('never sweeps', 'expired_makes_room', {
    put: async (sound, scope, handle, claim, ttl) => {
      // What was put for the tenant counts until it is forgotten.
      sound.bytes ??= new Map();
      const key = JSON.stringify([scope.tenant, scope.run, handle]);
      const bytes = [claim.manifest, ...claim.pages].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const beside = [...sound.bytes].filter(([other]) => other !== key && JSON.parse(other)[0] === scope.tenant);
      if (beside.reduce((sum, [, held]) => sum + held, bytes) > BOUND) throw new StoreError('full', 'no room');
      await sound.put(scope, handle, claim, ttl);
      sound.bytes.set(key, bytes);
    },
    forget: async (sound, what) => {
      for (const key of sound.bytes?.keys() ?? []) {
        const [tenant, run] = JSON.parse(key);
        if (covers(what, { tenant, run })) sound.bytes.delete(key);
      }
      return sound.forget(what);
    },
  }),
];

function flaw(name, rule, overrides) {
  const make = (clock) => {
    const sound = new Sound(clock);
    sound.place = overrides.place ?? sound.place;
    return Object.fromEntries(
      ['put', 'fetch', 'forget'].map((method) => [
        method,
        (...args) => (overrides[method] ? overrides[method](sound, ...args) : sound[method](...args)),
      ]),
    );
  };
  return { name, rule, make };
}

async function foreign(sound, scope, asked, isMeant) {
  for (const other of [scope, ...sound.noted(isMeant)])
    if (sound.held(other, asked[0])) return sound.fetch(other, ...asked);
  throw new StoreError('not-found', 'nowhere');
}

async function onFull(sound, put, otherwise) {
  try {
    await sound.put(...put);
  } catch (error) {
    throw error.code === 'full' ? otherwise(error) : error;
  }
}

function resolved(run) {
  const parts = [];
  for (const part of run.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
