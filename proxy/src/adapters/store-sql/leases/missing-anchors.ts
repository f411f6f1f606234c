import type { Kysely } from 'kysely';
import type { MissingAnchors } from '#ports/operator/missing-anchors.ts';
import type { LeaseSchema } from './lease-schema.ts';
import { recordMissing, selectMissing } from './lease-statements.ts';

/** One row per anchor. Throws if the store fails. */
export function createMissingAnchors(db: Kysely<LeaseSchema>): MissingAnchors {
  return {
    record: async (missing, quietMs) =>
      (await recordMissing(db, missing, missing.at - quietMs).executeTakeFirst()) !== undefined,
    list: () => selectMissing(db).execute(),
  };
}
