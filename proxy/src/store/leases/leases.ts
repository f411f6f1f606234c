import type { Clock } from '#ports/runtime/clock.ts';
import { type Leases, longestLeaseMs } from '#ports/runtime/lease.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';

/** Leases as rows: they expire, everyone sees them, and they work the same on both databases. */
export function createLeases(db: StateDb, clock: Clock): Leases {
  return {
    async take(keys, owner, ms) {
      if (keys.length === 0) return new Set();
      const now = clock();
      const until = now + Math.min(ms, longestLeaseMs);
      // In a fixed order, so that two processes never wait for each other's rows.
      const rows = [...new Set(keys)].sort().map((key) => ({ key, owner, until }));
      const taken = await takeLeases(db, rows, now).execute();
      return new Set(taken.map(({ key }) => key));
    },
    async release(keys, owner) {
      if (keys.length > 0) await releaseLeases(db, keys, owner).execute();
    },

    async keysHeld(beginning) {
      const rows = await selectHeld(db, clock()).execute();
      return rows
        .map(({ key }) => key)
        .filter((key) => key.startsWith(beginning))
        .sort();
    },
    async deleteExpired(limit) {
      const { numDeletedRows } = await deleteExpired(db, clock(), limit).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Takes the keys that are free now and returns those taken. */
function takeLeases(db: StateDb, rows: StateSchema['lease'][], now: number) {
  return db
    .insertInto('lease')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({ owner: ref('excluded.owner'), until: ref('excluded.until') }))
        .where(({ or, eb, ref }) =>
          or([
            eb('lease.until', '<=', now),
            eb('lease.until', '>', now + longestLeaseMs),
            eb('lease.owner', '=', ref('excluded.owner')),
          ]),
        ),
    )
    .returning('key');
}

/** Releases keys that the owner still holds. */
function releaseLeases(db: StateDb, keys: readonly string[], owner: string) {
  return db.deleteFrom('lease').where('key', 'in', keys).where('owner', '=', owner);
}

/** Every key that is held now. Not by an index: these are a few dozen rows. */
function selectHeld(db: StateDb, now: number) {
  return db
    .selectFrom('lease')
    .select('key')
    .where('until', '>', now)
    .where('until', '<=', now + longestLeaseMs);
}

/** Not by an index: what is held at one moment are a few dozen rows. */
function deleteExpired(db: StateDb, now: number, limit: number) {
  return db
    .deleteFrom('lease')
    .where('until', '<=', now)
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('lease as old').select('old.key').where('old.until', '<=', now).limit(limit),
    );
}
