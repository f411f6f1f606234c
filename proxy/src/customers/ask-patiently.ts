import type { Context } from '#context.ts';
import { unlessAborted } from '#runtime/unless-aborted.ts';

/** Customers about whom the CRM is asked together: as many as one of its requests takes. */
export const portion = 16;
/** When the CRM fails, it is asked again after these pauses; then the run ends. */
const pausesMs = [2_000, 10_000, 30_000, 60_000];

/** What the CRM answers about a portion; null once it has failed too often, and if the run is to end. */
export async function askPatiently<T>(
  { pause }: Context,
  { ask, hasFailed }: { ask: () => Promise<T[]>; hasFailed: (answer: T) => boolean },
  signal: AbortSignal,
): Promise<T[] | null> {
  for (const [attempt, pauseMs] of [0, ...pausesMs].entries()) {
    if (attempt > 0) await pause(pauseMs, signal).catch(() => {});
    if (signal.aborted) return null;
    const answers = await unlessAborted(ask(), signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (answers === null) return null;
    const failed = answers.filter(hasFailed).length;
    // Those that still fail while others are answered are at fault themselves.
    if (failed === 0 || (attempt > 0 && failed < answers.length)) return answers;
  }
  return null;
}
