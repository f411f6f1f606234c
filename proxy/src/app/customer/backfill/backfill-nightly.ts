import type { Upkeep } from '#ports/operator/upkeep.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { BackfillCustomers } from './backfill-customers.ts';

/** Looks whether it is time for the nightly backfill, and runs it if so. */
export type BackfillNightly = (signal: AbortSignal) => Promise<void>;

/** A run that began less than this ago was this night's. */
const sameNightMs = 20 * 3_600_000;

/**
 * Begins a backfill once a night, in the hour that is set, whichever process comes first; what a stop interrupted goes on
 * at once, at any hour (docs/operations.md#backfill).
 *
 * @param deps.settings the hour, 0 to 23 in the process's own time zone, and the age; null: never
 */
export function createBackfillNightly(deps: {
  backfill: () => BackfillCustomers | null;
  settings: () => { hour: number; staleAfterMs: number } | null;
  upkeep: Pick<Upkeep, 'lastBackfill'>;
  clock: Clock;
  logger: Logger;
}): BackfillNightly {
  return async (signal) => {
    const settings = deps.settings();
    const backfill = deps.backfill();
    if (settings === null || backfill === null) return;
    const { hour, staleAfterMs } = settings;
    const last = await deps.upkeep.lastBackfill();
    const isLeft = last !== null && last.after !== null && last.staleAfterMs === staleAfterMs;
    const wasTonight = last !== null && deps.clock() - last.begunAt < sameNightMs;
    const isHour = new Date(deps.clock()).getHours() === hour;
    if (!isLeft && (wasTonight || !isHour)) return;
    const { failed, ...report } = await backfill({ staleAfterMs, isDry: false, onProgress: () => {} }, signal);
    if (report.ended === 'busy') return;
    const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
    const log = failures > 0 || report.ended === 'crm_failing' ? 'warn' : 'info';
    deps.logger[log]({ ...report, failed }, 'Nightly backfill of customers');
  };
}
