import type { SweepMark } from '#ports/intake/inbox.ts';
import type { StateDb } from '#store/schema.ts';

/** The sweep's mark as one row. */
export function createSweepMark(db: StateDb): SweepMark {
  return {
    async read() {
      const row = await selectMark(db).executeTakeFirst();
      return row === undefined ? null : { from: row.from_stamp, until: row.until_stamp };
    },
    async write(mark) {
      await putMark(db, mark).execute();
    },
  };
}

function selectMark(db: StateDb) {
  return db.selectFrom('sweep_mark').select(['from_stamp', 'until_stamp']).where('id', '=', 1);
}

function putMark(db: StateDb, { from, until }: { from: string; until: string }) {
  return db
    .insertInto('sweep_mark')
    .values({ id: 1, from_stamp: from, until_stamp: until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ until_stamp: until }));
}
