import type { StateDb } from './schema.ts';

// How far the sweep over the helpdesk's tickets has got. The helpdesk's own timestamps, opaque. `from`: tickets created
// earlier are not ours.

/** Null before the first sweep. */
export async function read(db: StateDb): Promise<{ from: string; until: string } | null> {
  const row = await db
    .selectFrom('sweep_mark')
    .select(['from_stamp', 'until_stamp'])
    .where('id', '=', 1)
    .executeTakeFirst();
  return row === undefined ? null : { from: row.from_stamp, until: row.until_stamp };
}

/** Sets the mark. An existing `from` is kept. */
export async function write(db: StateDb, { from, until }: { from: string; until: string }): Promise<void> {
  await db
    .insertInto('sweep_mark')
    .values({ id: 1, from_stamp: from, until_stamp: until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ until_stamp: until }))
    .execute();
}
