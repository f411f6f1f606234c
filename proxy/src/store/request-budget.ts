import type { RequestBudget } from '#crm/crm-budget.ts';
import {
  type BucketLimits,
  type Lane,
  lanes,
  latestLevel,
  leftIn,
  levelAt,
  shareOf,
  type UsableShare,
  usableShares,
  waitFor,
} from '#crm/request-bucket.ts';
import type { Clock } from '#runtime/clock.ts';
import type { StateDb } from './schema.ts';

/**
 * The bucket as one row per portal and lane, shared by every process on the store. Throws if the store fails.
 */
export function createSharedBudget(db: StateDb, limits: BucketLimits, clock: Clock): RequestBudget {
  const keyOf = (portal: string, lane: Lane) => `${portal} ${lane}`;

  async function levelOf(key: string, share: BucketLimits, now: number): Promise<number> {
    const stored = (await emptyAt(db, key)) ?? now;
    const level = levelAt(stored, share, now);
    // Otherwise a level from a clock that has been set back would stay until that time comes again.
    if (level < stored) await setEmptyAt(db, key, level);
    return level;
  }

  return {
    async take(portal, lane) {
      const now = clock();
      const levels: { share: UsableShare; level: number }[] = [];
      for (const share of usableShares(lane, limits)) {
        const key = keyOf(portal, share.lane);
        if (await pour(db, key, share.intervalMs, latestLevel(share, now), now)) return { ok: true };
        levels.push({ share, level: await levelOf(key, share, now) });
      }
      return { ok: false, waitFor: (requests) => Math.max(1, waitFor(requests, levels, now)) };
    },
    async fill(portal) {
      const now = clock();
      for (const lane of lanes) {
        const { capacity, intervalMs } = shareOf(lane, limits);
        await setEmptyAt(db, keyOf(portal, lane), now + capacity * intervalMs);
      }
    },
    async left(portal) {
      const now = clock();
      const inLane = async (lane: Lane) => {
        const share = shareOf(lane, limits);
        const stored = (await emptyAt(db, keyOf(portal, lane))) ?? now;
        return leftIn(share, levelAt(stored, share, now), now);
      };
      return { click: await inLane('click'), open: await inLane('open'), backfill: await inLane('backfill') };
    },
  };
}

/** Adds one request to a bucket if it will be empty by `latest`; says whether it has. Times in epoch milliseconds. */
async function pour(db: StateDb, portal: string, intervalMs: number, latest: number, now: number): Promise<boolean> {
  const poured = await db
    .insertInto('crm_budget')
    .values({ portal, empty_at: now + intervalMs })
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
async function emptyAt(db: StateDb, portal: string): Promise<number | undefined> {
  const row = await db.selectFrom('crm_budget').select('empty_at').where('portal', '=', portal).executeTakeFirst();
  return row?.empty_at;
}

async function setEmptyAt(db: StateDb, portal: string, at: number): Promise<void> {
  await db
    .insertInto('crm_budget')
    .values({ portal, empty_at: at })
    .onConflict((conflict) => conflict.column('portal').doUpdateSet({ empty_at: at }))
    .execute();
}
