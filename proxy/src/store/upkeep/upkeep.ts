import * as z from 'zod';
import type { Restore, StoreUpkeep } from '#ports/operator/upkeep.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';

const RestoreNote = z.object({ backed_up_at: z.number(), turns_known: z.boolean() });

/** What is done to the store as a whole, a row for each kind. Throws if the store fails, or holds something else than we wrote. */
export function createStoreUpkeep(db: StateDb): StoreUpkeep {
  return {
    lastBackup: async () => (await selectUpkeep(db, 'backup').executeTakeFirst())?.at ?? null,
    async noteBackup(at) {
      await writeUpkeep(db, { task: 'backup', note: '{}', at }).execute();
    },
    lastStart: async () => (await selectUpkeep(db, 'start').executeTakeFirst())?.at ?? null,
    async noteStart(at) {
      await writeUpkeep(db, { task: 'start', note: '{}', at }).execute();
    },
    async lastRestore() {
      const row = await selectUpkeep(db, 'restore').executeTakeFirst();
      if (row === undefined) return null;
      const note = RestoreNote.parse(JSON.parse(row.note));
      return { at: row.at, backedUpAt: note.backed_up_at, turnsKnown: note.turns_known };
    },
    async noteRestore({ at, ...restore }) {
      await writeUpkeep(db, { task: 'restore', note: restoreNote(restore), at }).execute();
    },
  };
}

/** What stands in the row of a restore, besides when it was. */
export function restoreNote({ backedUpAt, turnsKnown }: Omit<Restore, 'at'>): string {
  return JSON.stringify({ backed_up_at: backedUpAt, turns_known: turnsKnown } satisfies z.input<typeof RestoreNote>);
}

/** The note of a task. */
export function selectUpkeep(db: StateDb, task: string) {
  return db.selectFrom('upkeep').select(['note', 'at']).where('task', '=', task);
}

/** Replaces the note of a task. */
export function writeUpkeep(db: StateDb, row: StateSchema['upkeep']) {
  return db
    .insertInto('upkeep')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('task').doUpdateSet(({ ref }) => ({ note: ref('excluded.note'), at: ref('excluded.at') })),
    );
}
