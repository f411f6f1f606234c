import { type BackfillNeeds, backfillCustomers } from './backfill-customers.ts';

/** A run that began less than this ago was this night's. */
const sameNightMs = 20 * 3_600_000;

/**
 * Begins a backfill once a night, in the hour that is set, whichever process comes first; what a stop interrupted goes on
 * at once, at any hour (docs/operations.md#backfill).
 *
 * @param ctx null: there is no CRM to ask
 * @param settings.hour 0 to 23 in the process's own time zone; undefined: never
 */
export async function backfillNightly(
  ctx: BackfillNeeds | null,
  { hour, staleAfterMs }: { hour: number | undefined; staleAfterMs: number },
  signal: AbortSignal,
): Promise<void> {
  if (ctx === null || hour === undefined) return;
  const { upkeep, clock, logger } = ctx;
  const last = await upkeep.lastBackfill();
  const isLeft = last !== null && last.after !== null && last.staleAfterMs === staleAfterMs;
  const wasTonight = last !== null && clock() - last.begunAt < sameNightMs;
  const isHour = new Date(clock()).getHours() === hour;
  if (!isLeft && (wasTonight || !isHour)) return;
  const order = { staleAfterMs, isDry: false, onProgress: () => {} };
  const { failed, ...report } = await backfillCustomers(ctx, order, signal);
  if (report.ended === 'busy') return;
  const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
  const log = failures > 0 || report.ended === 'crm_failing' ? 'warn' : 'info';
  logger[log]({ ...report, failed }, 'Nightly backfill of customers');
}
