import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises';

import { type Encoded, read } from './format.ts';
import type { Place } from './names.ts';

/** So many bytes, about, are written and compared at a time. */
const STEP_BYTES = 1024 * 1024;

export function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Somebody else took the file or the folder away, which is what other processes do. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** The names in a folder; none where it is not there. */
export async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Runs `use` on a file, and closes it whatever happens. */
export async function withFile<T>(
  path: string,
  flags: string | number,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** The folders of a claim, where they are not there yet; never the store's own. */
export async function makeFolders(place: Place): Promise<void> {
  for (const folder of [place.tenant, place.run, place.claim]) {
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

export async function write(file: FileHandle, { chunks, bytes }: Encoded): Promise<void> {
  let written = 0;
  for (const step of steps(chunks)) written += (await file.writev(step)).bytesWritten;
  // A disk that fills up may take a part and report no error.
  if (written !== bytes) throw Object.assign(new Error('the disk took a part'), { code: 'ENOSPC' });
}

/** Whether the file has these bytes and no others. */
export async function holds(file: FileHandle, { chunks, bytes }: Encoded): Promise<boolean> {
  if ((await file.stat()).size !== bytes) return false;
  let position = 0;
  for (const step of steps(chunks)) {
    const expected = Buffer.concat(step);
    if (!expected.equals(await read(file, position, expected.length))) return false;
    position += expected.length;
  }
  return true;
}

/** Makes the names in a folder last. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and journals their names itself.
  if (process.platform !== 'win32') await withFile(folder, constants.O_RDONLY, (file) => file.sync());
}

/** The same for several; one that somebody has taken away since has no names to last. */
export async function syncFolders(...folders: string[]): Promise<void> {
  const synced = folders.map(async (folder) => {
    try {
      await syncFolder(folder);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });
  await Promise.all(synced);
}

/** Whether there was one to remove. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether it is gone: a folder that holds something stays. */
export async function removeFolder(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    // POSIX allows either.
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function* steps(chunks: readonly Buffer[]): Generator<Buffer[]> {
  let step: Buffer[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    step.push(chunk);
    bytes += chunk.length;
    // Systems take 1024 buffers at once.
    if (bytes >= STEP_BYTES || step.length === 1024) {
      yield step;
      step = [];
      bytes = 0;
    }
  }
  if (step.length > 0) yield step;
}
