import { setTimeout as wait } from 'node:timers/promises';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { AppError } from './app-error.ts';
import type { Logger } from './logger.ts';

/**
 * Work that a response does not wait for. It starts a moment later, so as not to slow the response down. Best effort:
 * the next request that needs it starts it again.
 */
export interface Background {
  /** Starts a task unless one with the same key is running, or too many others are. The signal fires when its time is up or the service stops. */
  run(key: string, task: (signal: AbortSignal) => Promise<void>): void;
  /** Waits until nothing runs any more, also of what running tasks have started. */
  idle(): Promise<void>;
  /** Waits for running tasks, at most the given milliseconds, then aborts what is left. */
  drain(ms: number): Promise<void>;
}

const taskTimeoutMs = 20_000;
const startAfterMs = 50;
/** More tasks would take longer than their time anyway. */
const mostAtOnce = 1_000;

export function createBackground(logger: Logger): Background {
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();
  return {
    run(key, task) {
      if (running.has(key) || running.size >= mostAtOnce || stop.signal.aborted) return;
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(taskTimeoutMs)]);
      const work = wait(startAfterMs)
        .then(() => task(signal))
        .catch((error: unknown) => {
          logger.warn({ task: key.split(' ')[0], error: reasonOf(error) }, 'Background task failed');
        })
        .finally(() => running.delete(key));
      running.set(key, work);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
    async drain(ms) {
      const timer = setTimeout(() => stop.abort(), ms);
      await Promise.all(running.values());
      clearTimeout(timer);
      stop.abort();
    },
  };
}

/** What a log line may say about an error: never its message, which could quote customer data. */
export function reasonOf(error: unknown): string {
  if (error instanceof HelpdeskError) return `helpdesk_${error.kind}`;
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
