import type { Kysely } from 'kysely';
import type { Upkeep } from '#ports/upkeep.ts';
import type { LeaseSchema } from './lease-schema.ts';
import { selectUpkeep, writeUpkeep } from './lease-statements.ts';

/** One row per kind of work. Throws if the store fails. */
export function createUpkeep(db: Kysely<LeaseSchema>): Upkeep {
  return {
    lastBackup: async () => (await selectUpkeep(db, 'backup').executeTakeFirst())?.at ?? null,
    async noteBackup(at) {
      await writeUpkeep(db, { task: 'backup', note: '{}', at }).execute();
    },
  };
}
