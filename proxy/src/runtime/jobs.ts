import { setTimeout as wait } from 'node:timers/promises';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { TimedDb } from '#store/leases.ts';
import * as leases from '#store/leases.ts';
import { AppError } from './app-error.ts';
import { createKeyedMutex } from './concurrency.ts';
import type { Logger } from './log.ts';

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
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(taskTimeoutMs)]);
      const work = wait(startAfterMs)
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

interface Regularly {
  name: string;
  everyMs: number;
  logger: Logger;
  stopped: AbortSignal;
}

/**
 * Runs a task over and over until the signal fires, never twice at once: the given milliseconds after the last run
 * ended, or at once when woken. What a run throws is logged; the next one takes place all the same.
 */
export function runRegularly(
  { name, everyMs, logger, stopped }: Regularly,
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

/** The lease of whoever runs the loops. */
const loopsKey = 'loops';

const usual = { lookEveryMs: 3_000, leaseMs: 10_000 };

/**
 * Regular work that one of all processes on a store does: whichever has its lease. A process that is killed is replaced
 * within `leaseMs + lookEveryMs` by one of the others; one that stops hands over at the next look
 * (docs/operate.md#several-replicas). A run may outlast the lease, so the work itself must bear being done twice.
 */
export function createDuties({
  db,
  clock,
  logger,
  times: { lookEveryMs, leaseMs } = usual,
}: {
  db: TimedDb['db'];
  clock: TimedDb['clock'];
  logger: Logger;
  times?: typeof usual;
}) {
  const owner = crypto.randomUUID();
  const wakes: (() => void)[] = [];
  const stopped = new AbortController();
  /** By the clock that nobody sets. */
  let heldUntil = Number.NEGATIVE_INFINITY;
  const isHeld = () => performance.now() < heldUntil;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const until = performance.now() + leaseMs;
    const isTaken = (await leases.take({ db, clock }, [loopsKey], owner, leaseMs)).has(loopsKey);
    const isNew = isTaken && !isHeld();
    heldUntil = isTaken ? until : Number.NEGATIVE_INFINITY;
    if (isNew) for (const wake of wakes) wake();
  }

  return {
    /**
     * Runs a task while this process has the lease: at once when it gets it, then with a pause of the given milliseconds.
     *
     * @returns `ended` resolves once the signal has fired and the last run is over
     */
    regularly(how: Regularly, task: () => Promise<unknown>): { ended: Promise<void> } {
      const { wake, ended } = runRegularly(how, async () => isHeld() && task());
      wakes.push(wake);
      return { ended };
    },
    /** Begins to look for the lease; until then nothing runs. */
    start() {
      looking = runRegularly({ name: 'duties', everyMs: lookEveryMs, logger, stopped: stopped.signal }, look).ended;
    },
    /** Lets others take over. */
    async stop() {
      stopped.abort();
      await looking;
      heldUntil = Number.NEGATIVE_INFINITY;
      await leases.release({ db, clock }, [loopsKey], owner).catch(() => {});
    },
  };
}

/**
 * Runs work exclusively for one key, across all processes on one store. Others queue up, at most half a
 * minute; then `rate_limited`. The signal aborts work that takes longer than 45 seconds.
 */
export type WithLock = <T>(key: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Renewed while the work goes on, so that a process that died blocks others for no longer than this. */
const leaseMs = 12_000;
const workMs = 45_000;
const patienceMs = 30_000;
const pauseMs = 25;
const retryAfterSeconds = 5;

export function createWithLock(store: TimedDb): WithLock {
  const owner = crypto.randomUUID();
  const inThisProcess = createKeyedMutex();

  async function withLease<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveUp = performance.now() + patienceMs;
    while (!(await leases.take(store, [key], owner, leaseMs)).has(key)) {
      if (performance.now() > giveUp) throw AppError.rateLimited(retryAfterSeconds);
      await wait(pauseMs * (0.5 + Math.random()));
    }
    const end = keepLease(store, key, owner, leaseMs);
    try {
      return await work(AbortSignal.timeout(workMs));
    } finally {
      end();
      // A lease that cannot be released expires.
      await leases.release(store, [key], owner).catch(() => {});
    }
  }

  // Within this process callers queue up, so that only one of them at a time asks the store.
  return (key, work) => inThisProcess(key, () => withLease(key, work));
}

/** Renews a lease that is held, three times in its life, until the returned function is called. */
function keepLease(store: TimedDb, key: string, owner: string, ms: number): () => void {
  const renewal = setInterval(() => void leases.take(store, [key], owner, ms).catch(() => {}), ms / 3);
  return () => clearInterval(renewal);
}
