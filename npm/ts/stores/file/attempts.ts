import { StoreError } from '../../store.ts';
import { isMissing, syncFolder } from './disk.ts';

/** How often a call begins again because another one moved the files under it. */
const ATTEMPTS = 100;

/**
 * Begins again where another call or process moved the files on the way: a forget, a sweep, a put of the same claim.
 * That is what takes the place of locks, which somebody would have to break when their holder is killed.
 */
export async function persist<T>(root: string, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (attempts === ATTEMPTS) {
        // Throws the reason where it is the store's own folder that is missing.
        await syncFolder(root);
        throw new StoreError('unavailable', `other calls kept moving the files in ${root}; try again`, {
          cause: error,
        });
      }
    }
  }
}
