import type { StateDb } from './schema.ts';

// A row for each kind of work, and in it what is remembered of the last time.

/** The note of a task, and when it was made in epoch milliseconds; undefined if there is none. */
export function readNote(db: StateDb, task: string): Promise<{ note: string; at: number } | undefined> {
  return db.selectFrom('upkeep').select(['note', 'at']).where('task', '=', task).executeTakeFirst();
}

/** Replaces the note of a task. */
export async function writeNote(db: StateDb, task: string, at: number, note: string): Promise<void> {
  await db
    .insertInto('upkeep')
    .values({ task, note, at })
    .onConflict((conflict) =>
      conflict.column('task').doUpdateSet(({ ref }) => ({ note: ref('excluded.note'), at: ref('excluded.at') })),
    )
    .execute();
}
