import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Upkeep } from '#ports/upkeep.ts';
import type { LeaseSchema } from './lease-schema.ts';
import { selectUpkeep, writeUpkeep } from './lease-statements.ts';

const RestoreNote = z.object({ backed_up_at: z.number(), turns_known: z.boolean() });

/** One row per kind of work. Throws if the store fails, or holds something else than we wrote. */
export function createUpkeep(db: Kysely<LeaseSchema>): Upkeep {
  const write = (task: string, at: number, note: object) =>
    writeUpkeep(db, { task, note: JSON.stringify(note), at }).execute();

  return {
    lastBackup: async () => (await selectUpkeep(db, 'backup').executeTakeFirst())?.at ?? null,
    async noteBackup(at) {
      await write('backup', at, {});
    },
    async lastRestore() {
      const row = await selectUpkeep(db, 'restore').executeTakeFirst();
      if (row === undefined) return null;
      const note = RestoreNote.parse(JSON.parse(row.note));
      return { at: row.at, backedUpAt: note.backed_up_at, turnsKnown: note.turns_known };
    },
    async noteRestore({ at, backedUpAt, turnsKnown }) {
      await write('restore', at, { backed_up_at: backedUpAt, turns_known: turnsKnown } satisfies z.input<
        typeof RestoreNote
      >);
    },
  };
}
