import type { OperatorHealth } from '@deskside/shared/operator/today';
import type { Clock } from '#ports/clock.ts';

/** What is wrong, as `doctor` says it. It asks the helpdesk and the CRM, so it is asked itself once a minute at most. */
export type ShowHealth = () => Promise<OperatorHealth>;

const keptMs = 60_000;

export function createShowHealth({
  examine,
  clock,
}: {
  examine: () => Promise<Pick<OperatorHealth, 'findings' | 'not_checked'>>;
  clock: Clock;
}): ShowHealth {
  let last: { at: number; health: Promise<OperatorHealth> } | null = null;
  return () => {
    const now = clock();
    if (last !== null && now - last.at < keptMs && now >= last.at) return last.health;
    const checked_at = new Date(now).toISOString();
    const health = examine().then((found) => ({ checked_at, ...found }));
    last = { at: now, health };
    health.catch(() => {
      last = null;
    });
    return health;
  };
}
