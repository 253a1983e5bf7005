// What JavaScript lets through and the core's types don't: wrong types, lone surrogates, numbers that would be
// rounded or wrapped. Refused here with the argument's name, before anything is called.

import { ClaimCheckError } from './errors.ts';
import type { Erasure, Scope } from './scope.ts';
import type { ClaimStore } from './store.ts';

const MOST = { count: 0xffff_ffff, offset: 0x7fff_ffff } as const;

/** A well-formed text. */
export function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrong(`${name} is ${described(value)}; it must be a string`);
  if (!isWellFormed(value)) {
    throw new ClaimCheckError(
      'not-well-formed',
      `${name} holds a lone surrogate, so it is no Unicode text; pass toWellFormed() of it, which puts U+FFFD there`,
    );
  }
  return value;
}

/** A whole number of at least 0 that fits 32 bits. */
export function count(value: unknown, name: string): number {
  return whole(value, name, 0, MOST.count);
}

/** A whole number that fits 31 bits and a sign. The core has the word on negative ones. */
export function offset(value: unknown, name: string): number {
  return whole(value, name, -MOST.offset - 1, MOST.offset);
}

/** A value for which undefined means the default. */
export function optional<T>(value: unknown, name: string, check: (value: unknown, name: string) => T): T | undefined {
  return value === undefined ? undefined : check(value, name);
}

/** True or false, and nothing that could be taken for one of them. */
export function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw wrong(`${name} is ${described(value)}; it must be true or false`);
  return value;
}

/** A tenant and a run, copied: what the caller does to its object later changes nothing. */
export function scope(value: unknown, name: string = 'scope'): Scope {
  const { tenant, run } = record(value, name) as Partial<Scope>;
  return { tenant: text(tenant, `${name}.tenant`), run: text(run, `${name}.run`) };
}

/** A whole tenant or one run, and nothing that could be either. */
export function erasure(value: unknown): Erasure {
  const what = record(value, 'what is to be forgotten');
  const names = Object.keys(what);
  if (names.length === 1 && names[0] === 'tenant') return { tenant: text(what['tenant'], 'tenant') };
  if (names.length === 1 && names[0] === 'run') return { run: scope(what['run'], 'run') };
  throw wrong(
    `what is to be forgotten has ${names.length === 0 ? 'nothing' : names.map((one) => `'${one}'`).join(', ')}; ` +
      'pass { tenant } to forget a whole tenant, or { run: { tenant, run } } to forget one run',
  );
}

/** A store, which has every method; what they do shows when they are called. */
export function store(value: unknown): ClaimStore {
  const methods = record(value, 'store') as Partial<ClaimStore>;
  for (const name of ['put', 'fetch', 'forget'] as const) {
    if (typeof methods[name] !== 'function') throw wrong(`the store has no method '${name}'`);
  }
  return methods as ClaimStore;
}

/** An object, with no other fields than these where they are named. */
export function record(value: unknown, name: string, fields?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw wrong(`${name} is ${described(value)}; it must be an object`);
  const stray = fields && Object.keys(value).find((one) => !fields.includes(one));
  if (stray !== undefined) throw wrong(`${name} has no '${stray}'; it has ${fields!.join(', ')}`);
  return value as Record<string, unknown>;
}

/** Whether a text has no lone surrogate. */
export function isWellFormed(value: string): boolean {
  const { isWellFormed } = value as { isWellFormed?: () => boolean };
  return isWellFormed !== undefined ? isWellFormed.call(value) : !/\p{Surrogate}/u.test(value);
}

/** The error of an argument that is none. */
export function wrong(message: string): ClaimCheckError {
  return new ClaimCheckError('invalid-argument', message);
}

function whole(value: unknown, name: string, least: number, most: number): number {
  if (typeof value !== 'number') throw wrong(`${name} is ${described(value)}; it must be a number`);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw wrong(`${name} is ${value}; it must be a whole number from ${least} to ${most}`);
  }
  return value;
}

/** What a value is, without what it says. */
function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
