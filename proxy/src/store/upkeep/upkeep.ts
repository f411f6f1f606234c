import type { StateDb } from '#store/schema.ts';
import { RestoreNote, readNote, restoreNote, writeNote } from './notes.ts';

// What the store remembers of the work on it as a whole. Times are epoch milliseconds. Throws if the store fails, or holds
// something else than we wrote.

/** A restore of the store from a backup. */
export interface Restore {
  at: number;
  /** When what was restored had been backed up. */
  backedUpAt: number;
  /** Whether the teams' turns are those of today again, and no longer those of the backup. */
  turnsKnown: boolean;
}

/** When it was last backed up; null if never. */
export async function lastBackup(db: StateDb): Promise<number | null> {
  return (await readNote(db, 'backup'))?.at ?? null;
}

export function noteBackup(db: StateDb, at: number): Promise<void> {
  return writeNote(db, 'backup', at, '{}');
}

/** Null if it was never restored. */
export async function lastRestore(db: StateDb): Promise<Restore | null> {
  const row = await readNote(db, 'restore');
  if (row === undefined) return null;
  const note = RestoreNote.parse(JSON.parse(row.note));
  return { at: row.at, backedUpAt: note.backed_up_at, turnsKnown: note.turns_known };
}

export function noteRestore(db: StateDb, { at, ...restore }: Restore): Promise<void> {
  return writeNote(db, 'restore', at, restoreNote(restore));
}
