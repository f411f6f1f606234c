import { readNote, writeNote } from './notes.ts';
import type { StateDb } from './schema.ts';

// What the store remembers of the work on it as a whole. Times are epoch milliseconds. Throws if the store fails, or holds
// something else than we wrote.

/** When it was last backed up; null if never. */
export async function lastBackup(db: StateDb): Promise<number | null> {
  return (await readNote(db, 'backup'))?.at ?? null;
}

export function noteBackup(db: StateDb, at: number): Promise<void> {
  return writeNote(db, 'backup', at, '{}');
}
