import type { Kysely } from 'kysely';
import type { MissingAnchors } from '#ports/operator/missing-anchors.ts';
import type { LeaseSchema } from '#store/leases/lease-schema.ts';

/** One row per anchor. Throws if the store fails. */
export function createMissingAnchors(db: Kysely<LeaseSchema>): MissingAnchors {
  return {
    record: async (missing, quietMs) =>
      (await recordMissing(db, missing, missing.at - quietMs).executeTakeFirst()) !== undefined,
    list: () => selectMissing(db).execute(),
  };
}

/** Writes a report about an anchor and returns a row, unless the last one is from after `before`. */
function recordMissing(db: Kysely<LeaseSchema>, row: LeaseSchema['missing_anchor'], before: number) {
  return db
    .insertInto('missing_anchor')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('anchor')
        .doUpdateSet(({ ref }) => ({
          extension: ref('excluded.extension'),
          helpdesk: ref('excluded.helpdesk'),
          at: ref('excluded.at'),
        }))
        .where('missing_anchor.at', '<=', before),
    )
    .returning('anchor');
}

/** All of them: there are no more than the extension looks for. */
function selectMissing(db: Kysely<LeaseSchema>) {
  return db.selectFrom('missing_anchor').selectAll();
}
