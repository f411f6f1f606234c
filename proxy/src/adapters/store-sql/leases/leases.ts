import type { Kysely } from 'kysely';
import type { Clock } from '#ports/runtime/clock.ts';
import { type Leases, longestLeaseMs } from '#ports/runtime/lease.ts';
import type { LeaseSchema } from './lease-schema.ts';
import { deleteExpired, releaseLeases, selectHeld, takeLeases } from './lease-statements.ts';

/** Leases as rows: they expire, everyone sees them, and they work the same on both databases. */
export function createLeases(db: Kysely<LeaseSchema>, clock: Clock): Leases {
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
