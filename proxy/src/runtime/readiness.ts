import type { ReadinessCheck } from '@deskside/shared/readiness';
import type { Clock } from './clock.ts';
import type { LastingFault } from './faults.ts';
import type { Logger } from './logger.ts';

/** What one look at a part found; `fault`: what it becomes if it stays so. */
export type Looked = { ok: true; message: string } | { ok: false; message: string; fault: LastingFault };

/** Whether requests are welcome, in words. What changes is logged; what fails twice in a row is a fault. */
export interface Readiness {
  /** Each part as it is now. Open to everyone, so the parts are looked at once in five seconds at most. */
  checks(): Promise<ReadinessCheck[]>;
  /** Looks again and again until everything works, or the signal fires. */
  untilReady(stopped: AbortSignal): Promise<void>;
  /**
   * Looks in a moment, and then likewise: to be called when something has failed elsewhere that may keep it from being ready.
   * Harmless while it is looked already.
   */
  lookAgain(stopped: AbortSignal): Promise<void>;
}

const lookEveryMs = 5_000;
const againMs = 15_000;

/** @param deps.look never rejects */
export function createReadiness(deps: {
  look: Record<ReadinessCheck['check'], () => Promise<Looked>>;
  clock: Clock;
  logger: Logger;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}): Readiness {
  const { clock, logger } = deps;
  const names: readonly ReadinessCheck['check'][] = ['store', 'helpdesk', 'webhook'];
  const before = new Map<ReadinessCheck['check'], Looked>();
  const lasting = new Map<ReadinessCheck['check'], LastingFault>();
  let last: { checks: Promise<ReadinessCheck[]>; startedAt: number } | undefined;

  async function look(check: ReadinessCheck['check']): Promise<ReadinessCheck> {
    const looked = await deps.look[check]();
    const { ok, message } = looked;
    const known = before.get(check);
    before.set(check, looked);
    if (ok && !known?.ok) logger.info({ check }, known ? `Ready again: ${message}` : message);
    if (!ok && known?.message !== message) logger.warn({ check }, `Not ready: ${message}`);
    const raised = lasting.get(check);
    if (raised !== undefined && (looked.ok || looked.fault !== raised)) {
      lasting.delete(check);
      logger.info({ fault_ended: raised, check }, 'What kept the service from being ready is over');
    }
    if (!looked.ok && known?.ok === false && !lasting.has(check)) {
      lasting.set(check, looked.fault);
      logger.error({ fault: looked.fault, check }, message);
    }
    return { check, ok, message };
  }

  function checks(): Promise<ReadinessCheck[]> {
    if (last === undefined || clock() - last.startedAt >= lookEveryMs)
      last = { checks: Promise.all(names.map(look)), startedAt: clock() };
    return last.checks;
  }

  let looking: Promise<void> | undefined;

  async function until(stopped: AbortSignal, firstAfterMs: number): Promise<void> {
    if (firstAfterMs > 0) await deps.sleep(firstAfterMs, stopped).catch(() => {});
    while (!stopped.aborted && !(await checks()).every(({ ok }) => ok))
      await deps.sleep(againMs, stopped).catch(() => {});
  }

  function once(work: () => Promise<void>): Promise<void> {
    looking ??= work().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    checks,
    untilReady: (stopped) => once(() => until(stopped, 0)),
    // By then no earlier look stands any more.
    lookAgain: (stopped) => once(() => until(stopped, lookEveryMs)),
  };
}
