import { AppError } from './app-error.ts';
import { machine } from './machine.ts';

export interface FairQueueLimits {
  /** Tasks running at once: in total, and for one key. */
  slots: number;
  slotsPerKey: number;
  /** Tasks waiting for a slot: in total, and for one key. */
  waiting: number;
  waitingPerKey: number;
  /** Longest wait for a slot, in milliseconds. */
  patienceMs: number;
}

const retryAfterSeconds = 2;

/**
 * A queue in which keys take turns: a key with a hundred tasks waiting does not delay a key with one. A limit that is not
 * given is none.
 */
export function createFairQueue({
  slots = Number.POSITIVE_INFINITY,
  slotsPerKey = slots,
  patienceMs,
  ...limits
}: Partial<FairQueueLimits>) {
  const { waiting: mostWaiting = Number.POSITIVE_INFINITY, waitingPerKey = mostWaiting } = limits;
  const running = new Map<string, number>();
  // The key whose turn is next comes first.
  const lines = new Map<string, Set<() => void>>();
  let taken = 0;
  let waiting = 0;

  const mayRun = (key: string) => taken < slots && (running.get(key) ?? 0) < slotsPerKey;

  function count(key: string, change: 1 | -1): void {
    const now = (running.get(key) ?? 0) + change;
    taken += change;
    if (now > 0) running.set(key, now);
    else running.delete(key);
  }

  function startNext(): void {
    for (const [key, line] of lines) {
      if (!mayRun(key)) continue;
      const [start] = line;
      start?.();
      // To the end of the line: the other keys come first.
      lines.delete(key);
      if (line.size > 0) lines.set(key, line);
      return;
    }
  }

  function turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    const line = lines.get(key) ?? new Set();
    if (waiting >= mostWaiting || line.size >= waitingPerKey) throw AppError.rateLimited(retryAfterSeconds);
    lines.set(key, line);
    waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.delete(start);
        if (line.size === 0 && lines.get(key) === line) lines.delete(key);
        waiting -= 1;
        callOff?.();
        signal?.removeEventListener('abort', giveUp);
      };
      const start = () => {
        leave();
        count(key, 1);
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal?.aborted ? signal.reason : AppError.rateLimited(retryAfterSeconds));
      };
      const callOff = patienceMs === undefined ? undefined : machine.after(patienceMs, giveUp);
      signal?.addEventListener('abort', giveUp, { once: true });
      line.add(start);
    });
  }

  return {
    /** Runs work once a slot is free. Throws `rate_limited` if too many are waiting already, or after too long a wait. */
    async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
      signal?.throwIfAborted();
      if (mayRun(key)) count(key, 1);
      else await turn(key, signal);
      try {
        return await work();
      } finally {
        count(key, -1);
        startNext();
      }
    },
  };
}

/** Runs at most `limit` works at once; the others wait, first come, first served. Rejects with the reason of a signal that fires first. */
export function createSemaphore(limit: number) {
  const queue = createFairQueue({ slots: limit });
  return <T>(work: () => Promise<T>, signal?: AbortSignal) => queue.run('', signal, work);
}

/**
 * Runs works with the same key one after another, first come, first served, and those with different keys in parallel. Only
 * within this process; a lease of the store covers all processes on it.
 */
export function createKeyedMutex() {
  const queue = createFairQueue({ slotsPerKey: 1 });
  return <T>(key: string, work: () => Promise<T>) => queue.run(key, undefined, work);
}

/** Waits no longer than the signal allows; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits for a promise, but no longer than the given milliseconds; the work itself goes on. */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T | 'timeout'> {
  const { promise: deadline, resolve } = Promise.withResolvers<'timeout'>();
  const callOff = machine.after(ms, () => resolve('timeout'));
  try {
    return await Promise.race([work, deadline]);
  } finally {
    callOff();
  }
}

/** Three times as long as was worked: whoever looks at any moment finds three of four free. */
const factor = 3;
const longestMs = 1_000;

/**
 * For much work that is done in portions: waits, when called between two of them, for as long as others need to get in. A
 * process that wants to write to the same SQLite file only looks now and then whether it is free, and gives up after half a
 * second of bad luck; letting go for a moment is not enough.
 */
export function restBetween(): () => Promise<void> {
  let from = machine.elapsed();
  return async () => {
    const ms = Math.min(longestMs, factor * (machine.elapsed() - from));
    await machine.wait(ms);
    from = machine.elapsed();
  };
}
