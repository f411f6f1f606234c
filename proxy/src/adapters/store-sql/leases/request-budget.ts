import type { Kysely } from 'kysely';
import { type BucketLimits, latestLevel, levelAt } from '#domain/crm/request-bucket.ts';
import type { Clock } from '#ports/clock.ts';
import type { RequestBudget } from '#ports/crm-budget.ts';
import type { LeaseSchema } from './lease-schema.ts';
import { pourRequest, selectLevel, setLevel } from './lease-statements.ts';

/** The bucket as one row per portal, shared by every process on the store. Throws if the store fails. */
export function createSharedBudget(db: Kysely<LeaseSchema>, limits: BucketLimits, clock: Clock): RequestBudget {
  const { capacity, intervalMs } = limits;
  return {
    intervalMs,
    async take(portal, lane) {
      const now = clock();
      const latest = latestLevel(lane, limits, now);
      if (await pourRequest(db, { portal, intervalMs, latest, now }).executeTakeFirst()) return { ok: true };
      const { empty_at: stored = now } = (await selectLevel(db, portal).executeTakeFirst()) ?? {};
      const level = levelAt(stored, limits, now);
      // Otherwise a level from a clock that has been set back would stay until that time comes again.
      if (level < stored) await setLevel(db, portal, level).execute();
      return { ok: false, waitMs: Math.max(1, level - latest) };
    },
    async fill(portal) {
      await setLevel(db, portal, clock() + capacity * intervalMs).execute();
    },
  };
}
