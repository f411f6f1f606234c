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
} from '#domain/crm/request-bucket.ts';
import type { RequestBudget } from '#ports/crm/crm-budget.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { StateDb } from '#store/schema.ts';

/**
 * The bucket as one row per portal and lane, shared by every process on the store. Throws if the store fails.
 */
export function createSharedBudget(db: StateDb, limits: BucketLimits, clock: Clock): RequestBudget {
  const keyOf = (portal: string, lane: Lane) => `${portal} ${lane}`;

  async function levelOf(key: string, share: BucketLimits, now: number): Promise<number> {
    const { empty_at: stored = now } = (await selectLevel(db, key).executeTakeFirst()) ?? {};
    const level = levelAt(stored, share, now);
    // Otherwise a level from a clock that has been set back would stay until that time comes again.
    if (level < stored) await setLevel(db, key, level).execute();
    return level;
  }

  return {
    async take(portal, lane) {
      const now = clock();
      const levels: { share: UsableShare; level: number }[] = [];
      for (const share of usableShares(lane, limits)) {
        const { intervalMs } = share;
        const key = keyOf(portal, share.lane);
        const latest = latestLevel(share, now);
        if (await pourRequest(db, { portal: key, intervalMs, latest, now }).executeTakeFirst()) return { ok: true };
        levels.push({ share, level: await levelOf(key, share, now) });
      }
      return { ok: false, waitFor: (requests) => Math.max(1, waitFor(requests, levels, now)) };
    },
    async fill(portal) {
      const now = clock();
      for (const lane of lanes) {
        const { capacity, intervalMs } = shareOf(lane, limits);
        await setLevel(db, keyOf(portal, lane), now + capacity * intervalMs).execute();
      }
    },
    async left(portal) {
      const now = clock();
      const inLane = async (lane: Lane) => {
        const share = shareOf(lane, limits);
        const { empty_at: stored = now } = (await selectLevel(db, keyOf(portal, lane)).executeTakeFirst()) ?? {};
        return leftIn(share, levelAt(stored, share, now), now);
      };
      return { click: await inLane('click'), open: await inLane('open'), backfill: await inLane('backfill') };
    },
  };
}

/** Adds one request to the bucket if it will be empty by `latest`; only then is a row returned. */
function pourRequest(
  db: StateDb,
  { portal, intervalMs, latest, now }: { portal: string; intervalMs: number; latest: number; now: number },
) {
  return db
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
    .returning('empty_at');
}

/** When the bucket will be empty. */
function selectLevel(db: StateDb, portal: string) {
  return db.selectFrom('crm_budget').select('empty_at').where('portal', '=', portal);
}

/** Sets when the bucket will be empty. */
function setLevel(db: StateDb, portal: string, emptyAt: number) {
  return db
    .insertInto('crm_budget')
    .values({ portal, empty_at: emptyAt })
    .onConflict((conflict) => conflict.column('portal').doUpdateSet({ empty_at: emptyAt }));
}
