import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { Scope } from '../../scope.ts';

/** Where a claim lies: `tenant/run/claim` below the store's folder, each named by a hash. */
export interface Place {
  /** Also stands in the file, so that one that was moved is not taken for another claim. */
  readonly key: Buffer;
  /** The folders from the tenant's to the claim's, each within the one before. */
  readonly tenant: string;
  readonly run: string;
  readonly claim: string;
}

/** A whole file of a claim. Its name says what a sweep has to know, so that nothing is opened for it. */
export interface Version {
  readonly name: string;
  /** In milliseconds of the store's clock. */
  readonly expiry: number;
  /** Counts up where a damaged file is replaced by one of the same expiry. */
  readonly sequence: number;
  readonly bytes: number;
}

const VERSION = /^(\d{16})\.(\d{6})\.[0-9a-f]{16}\.(\d{12})$/;
const TEMPORARY = /^new\.(\d{16})\.[0-9a-f]{16}\.(\d{12})$/;
const GONE = /^gone\.(\d{16})\.[0-9a-f]{16}$/;
const HASHED = /^[0-9a-f]{32}$/;

export function placeOf(root: string, scope: Scope, handle: string): Place {
  const key = hash(scope.tenant, scope.run, handle);
  const run = runFolder(root, scope);
  return { key, tenant: tenantFolder(root, scope.tenant), run, claim: join(run, shortened(key)) };
}

export function tenantFolder(root: string, tenant: string): string {
  return join(root, shortened(hash(tenant)));
}

export function runFolder(root: string, scope: Scope): string {
  return join(tenantFolder(root, scope.tenant), shortened(hash(scope.tenant, scope.run)));
}

export function isHashed(name: string): boolean {
  return HASHED.test(name);
}

/** Names compare as their expiries do, then as their sequences do: the greatest is the one that counts. */
export function versionName(expiry: number, sequence: number, bytes: number): string {
  const instant = Math.min(Math.ceil(expiry), Number.MAX_SAFE_INTEGER);
  return `${padded(instant, 16)}.${padded(sequence, 6)}.${nonce()}.${padded(bytes, 12)}`;
}

export function versionOf(name: string): Version | undefined {
  const [, expiry, sequence, bytes] = VERSION.exec(name) ?? [];
  return bytes === undefined
    ? undefined
    : { name, expiry: Number(expiry), sequence: Number(sequence), bytes: Number(bytes) };
}

/** What is being written. The size is a reservation that other writers see. */
export function temporaryName(bytes: number): string {
  return `new.${padded(Date.now(), 16)}.${nonce()}.${padded(bytes, 12)}`;
}

/** Since when it is being written, and the size that it is going to have. */
export function temporaryOf(name: string): { readonly since: number; readonly bytes: number } | undefined {
  const [, since, bytes] = TEMPORARY.exec(name) ?? [];
  return bytes === undefined ? undefined : { since: Number(since), bytes: Number(bytes) };
}

/** What is forgotten is moved to a folder of such a name, at once, and then emptied. */
export function goneName(): string {
  return `gone.${padded(Date.now(), 16)}.${nonce()}`;
}

/** Since when it is being emptied. */
export function goneSince(name: string): number | undefined {
  const since = GONE.exec(name)?.[1];
  return since === undefined ? undefined : Number(since);
}

export function nonce(): string {
  return randomBytes(8).toString('hex');
}

function padded(number: number, digits: number): string {
  return String(Math.max(0, number)).padStart(digits, '0');
}

function shortened(digest: Buffer): string {
  return digest.toString('hex', 0, 16);
}

/** Of each text's length and UTF-16, so that no two lists of texts are one, whatever is in them. */
function hash(...texts: string[]): Buffer {
  const hash = createHash('sha256').update('claim-check/file-store/1\0');
  for (const text of texts) hash.update(`${text.length}:`).update(text, 'utf16le');
  return hash.digest();
}
