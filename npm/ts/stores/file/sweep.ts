import { join } from 'node:path';

import { names, removeFile, removeFolder } from './disk.ts';
import { goneSince, isHashed, temporaryOf, type Version, versionOf } from './names.ts';

/** What is written or emptied for so long was left by a crashed process; a writer that is only slow begins again. */
const STALE_MILLISECONDS = 15 * 60 * 1000;
/** So many folders are erased at a time, which is as many as keep the threads of Node's file system busy. */
const ERASED_AT_ONCE = 16;
/** File systems give out space in such steps, and a claim has a folder of its own. */
const BLOCK_BYTES = 4096;

/** What a sweep found in one claim's folder. */
export interface Swept {
  /** What the claim takes, in bytes; while it is written anew, only the larger of old and new. */
  readonly bytes: number;
  /** How many expired claims were removed. */
  readonly expired: number;
}

/** What a file of so many bytes takes: whole blocks, and one for its folder. */
export function takenBytes(bytes: number): number {
  return BLOCK_BYTES * (Math.ceil(bytes / BLOCK_BYTES) + 1);
}

/** Sweeps what a tenant holds, claim by claim; each step is small. */
export async function* sweepTenant(tenant: string, now: () => number): AsyncGenerator<Swept> {
  for (const run of (await names(tenant)).filter(isHashed)) {
    for (const claim of (await names(join(tenant, run))).filter(isHashed)) {
      yield await sweepClaim(join(tenant, run, claim), now());
    }
    // A run that is full stays; for one that is empty there may be a writer, who makes it again.
    await removeFolder(join(tenant, run));
  }
  await removeFolder(tenant);
}

/** Sweeps all that the store holds, and what a forget that crashed left. */
export async function* sweepStore(root: string, now: () => number): AsyncGenerator<Swept> {
  for (const name of await names(root)) {
    const since = goneSince(name);
    if (since !== undefined && isStale(since)) await erase(join(root, name), now());
    if (isHashed(name)) yield* sweepTenant(join(root, name), now);
  }
}

/** The live versions in a claim's folder, the one that counts first. */
export async function liveVersions(claim: string, now: number): Promise<Version[]> {
  const versions = (await names(claim)).map(versionOf).filter((version) => version !== undefined);
  return versions.filter((version) => version.expiry > now).sort((a, b) => (a.name < b.name ? 1 : -1));
}

/** Empties a folder and removes it, and says in how many folders live claims were listed. */
export async function erase(folder: string, now: number): Promise<number> {
  let within = 0;
  let hasLive = false;
  // A writer that had the folder's old name in hand may still add to it.
  do {
    const listed = await names(folder);
    const folders = listed.filter(isHashed).map((name) => join(folder, name));
    while (folders.length > 0) {
      const erased = folders.splice(0, ERASED_AT_ONCE).map((path) => erase(path, now));
      within += (await Promise.all(erased)).reduce((sum, live) => sum + live, 0);
    }
    for (const name of listed.filter((name) => !isHashed(name))) {
      await removeFile(join(folder, name));
      hasLive ||= (versionOf(name)?.expiry ?? 0) > now;
    }
  } while (!(await removeFolder(folder)));
  return within + Number(hasLive);
}

/** Removes all versions but the greatest: what is less than one that stands never counts again. */
export async function removeLesser(claim: string): Promise<void> {
  const versions = (await names(claim)).filter((name) => versionOf(name)).sort();
  for (const name of versions.slice(0, -1)) await removeFile(join(claim, name));
}

async function sweepClaim(claim: string, now: number): Promise<Swept> {
  const sizes = [0];
  let expired = 0;
  let versions = 0;
  for (const name of await names(claim)) {
    const path = join(claim, name);
    const version = versionOf(name);
    const temporary = temporaryOf(name);
    if (version && version.expiry <= now) {
      expired += Number(await removeFile(path));
    } else if (temporary && isStale(temporary.since)) {
      await removeFile(path);
    } else {
      sizes.push(takenBytes(version?.bytes ?? temporary?.bytes ?? 0));
      versions += Number(version !== undefined);
    }
  }
  // A writer that crashed has left the one that it replaced.
  if (versions > 1) await removeLesser(claim);
  if (sizes.length === 1) await removeFolder(claim);
  return { bytes: Math.max(...sizes), expired };
}

/** One from the future is from a clock that was set back since. */
function isStale(since: number): boolean {
  return Math.abs(Date.now() - since) > STALE_MILLISECONDS;
}
