import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from './background.ts';
import type { Logger } from './logger.ts';

/**
 * Runs a task over and over until the signal fires, never twice at once: the given milliseconds after the last run
 * ended, or at once when woken. What a run throws is logged; the next one takes place all the same.
 */
export function runRegularly(
  { name, everyMs, logger, stopped }: { name: string; everyMs: number; logger: Logger; stopped: AbortSignal },
  task: () => Promise<unknown>,
): { wake(): void; ended: Promise<void> } {
  let woken = new AbortController();

  async function loop(): Promise<void> {
    while (!stopped.aborted) {
      woken = new AbortController();
      await task().catch((error: unknown) => {
        if (!stopped.aborted) logger.warn({ task: name, error: reasonOf(error) }, 'A regular task failed');
      });
      await wait(everyMs, undefined, { signal: AbortSignal.any([stopped, woken.signal]) }).catch(() => {});
    }
  }

  return { wake: () => woken.abort(), ended: loop() };
}
