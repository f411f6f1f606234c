import { sql } from 'kysely';
import type { Clock } from '#runtime/memory.ts';
import { deleteSome, type StateDb } from './schema.ts';

// Exclusive rights, across all processes that share one store, as rows: they expire, so that a process that died does not
// block others for long; everyone sees them, and they work the same on both databases.

/** The longest lease, in milliseconds. One that ends later than this from now was dated by a clock that has since been set back. */
export const longestLeaseMs = 5 * 60_000;

/** By whose time they expire. */
export interface TimedDb {
  db: StateDb;
  clock: Clock;
}

/**
 * Takes those of the keys that nobody else holds, all at once, for the given milliseconds (at most `longestLeaseMs`).
 * Returns the keys taken; their holder may take them again.
 */
export async function take(
  { db, clock }: TimedDb,
  keys: readonly string[],
  owner: string,
  ms: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const now = clock();
  const until = now + Math.min(ms, longestLeaseMs);
  // In a fixed order, so that two processes never wait for each other's rows.
  const rows = [...new Set(keys)].sort().map((key) => ({ key, owner, until }));
  const taken = await db
    .insertInto('leases')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({ owner: ref('excluded.owner'), until: ref('excluded.until') }))
        .where(({ or, eb, ref }) =>
          or([
            eb('leases.until', '<=', now),
            eb('leases.until', '>', now + longestLeaseMs),
            eb('leases.owner', '=', ref('excluded.owner')),
          ]),
        ),
    )
    .returning('key')
    .execute();
  return new Set(taken.map(({ key }) => key));
}

/** Releases keys. Harmless for those that have expired, even if another owner holds them by now. */
export async function release({ db }: TimedDb, keys: readonly string[], owner: string): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('leases').where('key', 'in', keys).where('owner', '=', owner).execute();
}

/** Deletes what processes that died have left, at most `limit`; returns how many. What is held at one moment are a few dozen rows. */
export function deleteExpired({ db, clock }: TimedDb, limit: number): Promise<number> {
  return deleteSome(db, 'leases', ['key'], sql`until <= ${clock()}`, limit);
}
