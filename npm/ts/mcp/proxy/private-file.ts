// Small files that only their owner may read.

import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomUUID } from 'node:crypto';

/** The content; none where there is no file. */
export function readPrivate(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Puts the file there whole, in place of one that is there. */
export function writePrivate(path: string, content: string): void {
  withTemporary(path, content, (temporary) => renameSync(temporary, path));
}

/** Puts the file there whole where there is none, and says what is there then: two processes may try at once. */
export function createPrivate(path: string, content: string): string {
  withTemporary(path, content, (temporary) => {
    try {
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
  return readFileSync(path, 'utf8');
}

function withTemporary(path: string, content: string, place: (temporary: string) => void): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    place(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}
