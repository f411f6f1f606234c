import { AppError } from './app-error.ts';

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

/** Runs work once a slot is free. Throws `rate_limited` if too many are waiting already, or after too long a wait. */
export interface FairQueue {
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

const retryAfterSeconds = 2;

/** A queue in which keys take turns: a key with a hundred tasks waiting does not delay a key with one. */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const running = new Map<string, number>();
  // The key whose turn is next comes first.
  const lines = new Map<string, Set<() => void>>();
  let taken = 0;
  let waiting = 0;

  const mayRun = (key: string) => taken < limits.slots && (running.get(key) ?? 0) < limits.slotsPerKey;

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

  function turn(key: string, signal: AbortSignal): Promise<void> {
    const line = lines.get(key) ?? new Set();
    if (waiting >= limits.waiting || line.size >= limits.waitingPerKey) throw AppError.rateLimited(retryAfterSeconds);
    lines.set(key, line);
    waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.delete(start);
        if (line.size === 0 && lines.get(key) === line) lines.delete(key);
        waiting -= 1;
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      };
      const start = () => {
        leave();
        count(key, 1);
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.aborted ? signal.reason : AppError.rateLimited(retryAfterSeconds));
      };
      const timer = setTimeout(giveUp, limits.patienceMs);
      signal.addEventListener('abort', giveUp, { once: true });
      line.add(start);
    });
  }

  return {
    async run(key, signal, work) {
      signal.throwIfAborted();
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
