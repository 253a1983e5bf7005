import { StoreError } from '../../store.ts';
import { codeOf } from './disk.ts';
import { Damage } from './format.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMLINK']);
const BUSY = new Set(['EMFILE', 'ENFILE', 'EBUSY', 'EAGAIN', 'EINTR', 'ENOMEM', 'ESTALE', 'ETIMEDOUT']);
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * What an error of the file system comes to. Only its code is used, and no text of it. An error that is not the file
 * system's is a mistake in this program and stays what it is.
 */
export function storeError(folder: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  if (error instanceof Damage) {
    const what = `a file in ${folder} is damaged: ${error.message}`;
    return new StoreError('failed', `${what}; check the disk, and run the tool again to put the claim anew`);
  }
  const code = codeOf(error);
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  if (FULL.has(code)) {
    return new StoreError(
      'full',
      `the disk or the quota under ${folder} is full (${code}); free space on it, then try again`,
    );
  }
  if (BUSY.has(code)) {
    return new StoreError(
      'unavailable',
      `the system could not serve ${folder} now (${code}); try again, and with EMFILE raise the limit of open files`,
    );
  }
  if (DENIED.has(code)) {
    return new StoreError(
      'failed',
      `${folder} can't be read or written (${code}); make it this user's own, on a disk that is mounted writable`,
    );
  }
  if (code === 'ENOENT') {
    return new StoreError('failed', `${folder} is not there any more (ENOENT); open the store again to make it anew`);
  }
  return new StoreError(
    'failed',
    `the file system refused to work on ${folder} (${code}); check the disk and the system's log`,
  );
}
