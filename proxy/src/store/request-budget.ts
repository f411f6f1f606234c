import type { StateDb } from './schema.ts';

// How full the buckets of requests to the CRM are, as rows that every process on the store shares. A level is the moment
// at which the bucket will be empty, in epoch milliseconds.

/** Adds one request to a bucket if it will be empty by `latest`; says whether it has. Times in epoch milliseconds. */
export async function pour(
  db: StateDb,
  bucket: string,
  intervalMs: number,
  latest: number,
  now: number,
): Promise<boolean> {
  const poured = await db
    .insertInto('crm_budget')
    .values({ portal: bucket, empty_at: now + intervalMs })
    .onConflict((conflict) =>
      conflict
        .column('portal')
        .doUpdateSet(({ eb, case: either }) => ({
          empty_at: eb(
            either().when('crm_budget.empty_at', '<', now).then(eb.val(now)).else(eb.ref('crm_budget.empty_at')).end(),
            '+',
            intervalMs,
          ),
        }))
        .where('crm_budget.empty_at', '<=', latest),
    )
    .returning('empty_at')
    .executeTakeFirst();
  return poured !== undefined;
}

/** When the bucket will be empty; undefined if nothing was poured into it yet. */
export async function emptyAt(db: StateDb, bucket: string): Promise<number | undefined> {
  const row = await db.selectFrom('crm_budget').select('empty_at').where('portal', '=', bucket).executeTakeFirst();
  return row?.empty_at;
}

export async function setEmptyAt(db: StateDb, bucket: string, at: number): Promise<void> {
  await db
    .insertInto('crm_budget')
    .values({ portal: bucket, empty_at: at })
    .onConflict((conflict) => conflict.column('portal').doUpdateSet({ empty_at: at }))
    .execute();
}
