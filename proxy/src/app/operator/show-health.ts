import type { OperatorHealth } from '@deskside/shared/operator/today';
import type { Clock } from '#ports/runtime/clock.ts';
import type { RecentCrm } from './recent-crm.ts';

/**
 * What is wrong, as `doctor` says it. It asks the helpdesk and the CRM, so it is asked itself once a minute at most, or every
 * ten seconds while the CRM fails.
 */
export type ShowHealth = () => Promise<OperatorHealth>;

const keptMs = 60_000;
const keptWhileFailingMs = 10_000;

/** @param deps.examine what `doctor` finds under this configuration; another one has another `ShowHealth` */
export function createShowHealth({
  examine,
  recentCrm,
  clock,
}: {
  examine: () => Promise<Pick<OperatorHealth, 'findings' | 'not_checked'>>;
  recentCrm: Pick<RecentCrm, 'failedSince'>;
  clock: Clock;
}): ShowHealth {
  let last: { at: number; health: Promise<OperatorHealth> } | null = null;
  return () => {
    const now = clock();
    const forMs = last !== null && recentCrm.failedSince(last.at) ? keptWhileFailingMs : keptMs;
    if (last !== null && now - last.at < forMs && now >= last.at) return last.health;
    const checked_at = new Date(now).toISOString();
    const health = examine().then((found) => ({ checked_at, ...found }));
    last = { at: now, health };
    health.catch(() => {
      last = null;
    });
    return health;
  };
}
