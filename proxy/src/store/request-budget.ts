import type { StateDb } from './schema.ts';

// How full the buckets of requests to the CRM are, as notes that every process on the store shares. A level is the moment
// at which the bucket will be empty, in epoch milliseconds.

const keyOf = (bucket: string) => `budget ${bucket}`;

/** Adds one request to a bucket if it will be empty by `latest`; says whether it has. Times in epoch milliseconds. */
export async function pour(
  db: StateDb,
  bucket: string,
  intervalMs: number,
  latest: number,
  now: number,
): Promise<boolean> {
  const poured = await db
    .insertInto('notes')
    .values({ key: keyOf(bucket), note: '{}', at: now + intervalMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ eb, case: either }) => ({
          at: eb(either().when('notes.at', '<', now).then(eb.val(now)).else(eb.ref('notes.at')).end(), '+', intervalMs),
        }))
        .where('notes.at', '<=', latest),
    )
    .returning('at')
    .executeTakeFirst();
  return poured !== undefined;
}

/** When the bucket will be empty; undefined if nothing was poured into it yet. */
export async function emptyAt(db: StateDb, bucket: string): Promise<number | undefined> {
  const row = await db.selectFrom('notes').select('at').where('key', '=', keyOf(bucket)).executeTakeFirst();
  return row?.at;
}

export async function setEmptyAt(db: StateDb, bucket: string, at: number): Promise<void> {
  await db
    .insertInto('notes')
    .values({ key: keyOf(bucket), note: '{}', at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ at }))
    .execute();
}
