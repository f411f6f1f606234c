import type { Context } from '#app/context.ts';
import { keepLease } from '#app/runtime/duties/with-lock.ts';
import { unlessAborted } from '#concurrency/unless-aborted.ts';

/** What runs over all customers have in common: one at a time across all processes, and patience with the CRM. */

/** Customers about whom the CRM is asked together: as many as one of its requests takes. */
export const portion = 16;
/** Shorter than that of the duty, so that whoever takes the duty over finds it free. */
const leaseMs = 8_000;
/** When the CRM fails, it is asked again after these pauses; then the run ends. */
const pausesMs = [2_000, 10_000, 30_000, 60_000];

/** Whether the run has its work to itself: another process may have taken over from one that was asleep for minutes. */
type Hold = () => Promise<boolean>;

/** Runs work of this name unless another process is at it; null if so. */
export async function runAlone<T>(
  { leases }: Pick<Context, 'leases'>,
  name: string,
  work: (hold: Hold) => Promise<T>,
): Promise<T | null> {
  const owner = crypto.randomUUID();
  const hold = async () => (await leases.take([name], owner, leaseMs)).has(name);
  if (!(await hold())) return null;
  const end = keepLease(leases, name, owner, leaseMs);
  try {
    return await work(hold);
  } finally {
    end();
    await leases.release([name], owner).catch(() => {});
  }
}

/**
 * What the CRM answers about a portion; null once it has failed too often, and if the run is to end. `failures`: of each
 * question behind an answer, whether it failed.
 */
export async function askPatiently<T>(
  { pause }: Pick<Context, 'pause'>,
  { ask, failures, hold }: { ask: () => Promise<T[]>; failures: (answer: T) => boolean[]; hold: Hold },
  signal: AbortSignal,
): Promise<T[] | null> {
  for (const [attempt, pauseMs] of [0, ...pausesMs].entries()) {
    if (attempt > 0) await pause(pauseMs, signal).catch(() => {});
    if (signal.aborted || !(await hold())) return null;
    const answers = await unlessAborted(ask(), signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (answers === null) return null;
    const outcomes = answers.flatMap(failures);
    // Those that still fail while others are answered are at fault themselves.
    if (!outcomes.includes(true) || (attempt > 0 && outcomes.includes(false))) return answers;
  }
  return null;
}
