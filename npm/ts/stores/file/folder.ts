import { chmod, mkdir, readFile, realpath, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { StoreError } from '../../store.ts';
import { isMissing, names, removeFile, syncFolder, withFile } from './disk.ts';
import { nonce } from './names.ts';

/** The file that says whose folder it is, and in which layout. */
const MARKER = 'claim-check-store';
const LAYOUT = 'claim-check file store, layout 1\n';

/**
 * Makes the folder where it is not there, and says where it is whatever the process's working folder becomes.
 *
 * @throws StoreError `failed` where the folder is somebody else's: nothing in it has been touched then.
 */
export async function openFolder(path: string): Promise<string> {
  await mkdir(resolve(path), { recursive: true, mode: 0o700 });
  const folder = await realpath(resolve(path));
  const marker = await markerOf(folder);
  if (marker === undefined) {
    // Another process may be about to name its own marker.
    const foreign = (await names(folder)).filter((name) => !name.startsWith(MARKER));
    if (foreign.length > 0 && (await markerOf(folder)) === undefined) {
      throw new StoreError(
        'failed',
        `${folder} holds files that are not this store's; name an empty folder, or one that is not there`,
      );
    }
    await narrow(folder);
    await mark(folder);
  } else if (marker === LAYOUT) {
    await narrow(folder);
  } else {
    throw new StoreError(
      'failed',
      `${folder} is not a store of this version, by its ${MARKER}; use the version that made it, or another folder`,
    );
  }
  return folder;
}

async function markerOf(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, MARKER), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Under its name only when it is whole, so that a crash leaves a folder that can still be opened. */
async function mark(folder: string): Promise<void> {
  const temporary = join(folder, `${MARKER}.${nonce()}`);
  try {
    await withFile(temporary, 'wx', async (file) => {
      await file.writeFile(LAYOUT);
      await file.sync();
    });
    await rename(temporary, join(folder, MARKER));
  } catch (error) {
    await removeFile(temporary);
    throw error;
  }
  await syncFolder(folder);
}

/** An empty folder and one of ours is ours to close to others. */
async function narrow(folder: string): Promise<void> {
  if (process.platform !== 'win32' && ((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
}
