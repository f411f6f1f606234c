import type { StateDb } from './schema.ts';

// The last report about each anchor, a row for each, shared by all processes. Holds nothing about people.

/** What an extension did not find on the helpdesk's page. `at`: when it was told, in epoch milliseconds. */
export interface MissingAnchor {
  anchor: string;
  /** Version of the extension. */
  extension: string;
  /** Version of the helpdesk; null if it is not known. */
  helpdesk: string | null;
  at: number;
}

/** Remembers it, unless the anchor was reported less than `quietMs` before: false. Of several at once one is true. */
export async function record(db: StateDb, missing: MissingAnchor, quietMs: number): Promise<boolean> {
  const recorded = await db
    .insertInto('missing_anchor')
    .values(missing)
    .onConflict((conflict) =>
      conflict
        .column('anchor')
        .doUpdateSet(({ ref }) => ({
          extension: ref('excluded.extension'),
          helpdesk: ref('excluded.helpdesk'),
          at: ref('excluded.at'),
        }))
        .where('missing_anchor.at', '<=', missing.at - quietMs),
    )
    .returning('anchor')
    .executeTakeFirst();
  return recorded !== undefined;
}

/** All of them: there are no more than the extension looks for. */
export function list(db: StateDb): Promise<MissingAnchor[]> {
  return db.selectFrom('missing_anchor').selectAll().execute();
}
