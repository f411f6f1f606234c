import { NamedError } from './app-error.ts';
import type { LastingFault, Logger } from './log.ts';
import { machine } from './machine.ts';

const taskTimeoutMs = 20_000;
const startAfterMs = 50;
/** More tasks would take longer than their time anyway. */
const mostAtOnce = 1_000;

export type Background = ReturnType<typeof createBackground>;

/**
 * Work that a response does not wait for. It starts a moment later, so as not to slow the response down. Best effort:
 * the next request that needs it starts it again.
 */
export function createBackground(logger: Logger) {
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();
  return {
    /** Starts a task unless one with the same key is running, or too many others are. The signal fires when its time is up or the service stops. */
    run(key: string, task: (signal: AbortSignal) => Promise<void>): void {
      if (running.has(key) || running.size >= mostAtOnce || stop.signal.aborted) return;
      const signal = AbortSignal.any([stop.signal, machine.timeout(taskTimeoutMs)]);
      const work = machine
        .wait(startAfterMs)
        .then(() => task(signal))
        .catch((error: unknown) => {
          logger.warn({ task: key.split(' ')[0], error: reasonOf(error) }, 'Background task failed');
        })
        .finally(() => running.delete(key));
      running.set(key, work);
    },
    /** Waits until nothing runs any more, also of what running tasks have started. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values());
    },
    /** Waits for running tasks, at most the given milliseconds, then aborts what is left. */
    async drain(ms: number): Promise<void> {
      const callOff = machine.after(ms, () => stop.abort());
      await Promise.all(running.values());
      callOff();
      stop.abort();
    },
  };
}

/** What a log line may say about an error: never its message, which could quote customer data. */
export function reasonOf(error: unknown): string {
  if (error instanceof NamedError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

export interface JobSchedule {
  name: string;
  everyMs: number;
  logger: Logger;
  stopped: AbortSignal;
  /** The fault of which a run failed; null for what no operator can mend. */
  faultOf(error: unknown): LastingFault | null;
}

/** What is seldom done does not wait that long where it has failed. */
const againAfterMs = 60_000;

/**
 * Runs a task over and over until the signal fires, never twice at once: the given milliseconds after the last run
 * ended, or at once when woken. What a run throws is logged, the next one takes place all the same, and the fault of which it
 * failed twice in a row lasts until a run succeeds.
 */
export function runRegularly(
  { name, everyMs, logger, stopped, faultOf }: JobSchedule,
  task: () => Promise<unknown>,
): { wake(): void; ended: Promise<void> } {
  let woken = new AbortController();
  let hasFailed = false;
  let lasting: LastingFault | null = null;

  async function once(): Promise<void> {
    try {
      await task();
      hasFailed = false;
      note(null);
    } catch (error) {
      if (stopped.aborted) return;
      logger.warn({ task: name, error: reasonOf(error) }, 'A regular task failed');
      if (hasFailed) note(faultOf(error));
      hasFailed = true;
    }
  }

  function note(fault: LastingFault | null): void {
    if (fault === lasting) return;
    if (lasting !== null) logger.info({ fault_ended: lasting, kind: name }, 'What a regular task failed of is over');
    if (fault !== null) logger.error({ fault, kind: name }, 'A regular task fails until this is mended');
    lasting = fault;
  }

  async function loop(): Promise<void> {
    while (!stopped.aborted) {
      woken = new AbortController();
      await once();
      const pauseMs = hasFailed ? Math.min(everyMs, againAfterMs) : everyMs;
      await machine.wait(pauseMs, AbortSignal.any([stopped, woken.signal])).catch(() => {});
    }
  }

  return { wake: () => woken.abort(), ended: loop() };
}
