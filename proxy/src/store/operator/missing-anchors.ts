import type { MissingAnchors } from '#ports/operator/missing-anchors.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';

/** One row per anchor. Throws if the store fails. */
export function createMissingAnchors(db: StateDb): MissingAnchors {
  return {
    record: async (missing, quietMs) =>
      (await recordMissing(db, missing, missing.at - quietMs).executeTakeFirst()) !== undefined,
    list: () => selectMissing(db).execute(),
  };
}

/** Writes a report about an anchor and returns a row, unless the last one is from after `before`. */
function recordMissing(db: StateDb, row: StateSchema['missing_anchor'], before: number) {
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
function selectMissing(db: StateDb) {
  return db.selectFrom('missing_anchor').selectAll();
}
