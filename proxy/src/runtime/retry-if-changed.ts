import { AppError } from './app-error.ts';

/** How often a write is tried in all if others keep writing first. */
const maxTries = 3;

/**
 * Reads, decides and writes, and all of it again if somebody else has written in between: only the first time does what
 * the caller has read count. Throws `changed_since` if others keep being first.
 */
export async function retryIfChanged<T>(write: (isFirst: boolean) => Promise<T | 'changed_meanwhile'>): Promise<T> {
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const written = await write(attempt === 1);
    if (written !== 'changed_meanwhile') return written;
  }
  throw new AppError('changed_since');
}
