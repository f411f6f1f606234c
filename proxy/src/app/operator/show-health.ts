import type { OperatorHealth } from '@deskside/shared/operator/today';
import type { Clock } from '#ports/runtime/clock.ts';
import type { RecentCrm } from './recent-crm.ts';

/**
 * What is wrong, as `doctor` says it. It asks the helpdesk and the CRM, so it is asked itself once a minute at most, or every
 * ten seconds while the CRM fails, and at once where the settings have changed.
 */
export type ShowHealth = () => Promise<OperatorHealth>;

const keptMs = 60_000;
const keptWhileFailingMs = 10_000;

export function createShowHealth<S>({
  settings,
  examine,
  recentCrm,
  clock,
}: {
  /** Those in force; changed ones are another object. */
  settings: () => S;
  examine: (settings: S) => Promise<Pick<OperatorHealth, 'findings' | 'not_checked'>>;
  recentCrm: Pick<RecentCrm, 'failedSince'>;
  clock: Clock;
}): ShowHealth {
  let last: { at: number; of: S; health: Promise<OperatorHealth> } | null = null;
  return () => {
    const now = clock();
    const of = settings();
    const forMs = last !== null && recentCrm.failedSince(last.at) ? keptWhileFailingMs : keptMs;
    if (last !== null && last.of === of && now - last.at < forMs && now >= last.at) return last.health;
    const checked_at = new Date(now).toISOString();
    const health = examine(of).then((found) => ({ checked_at, ...found }));
    last = { at: now, of, health };
    health.catch(() => {
      last = null;
    });
    return health;
  };
}
