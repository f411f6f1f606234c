/** Runs `work` as soon as there is a free slot. Rejects with the signal's reason if that fires first. */
export type Semaphore = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Runs at most `limit` works at once; the others wait, first come, first served. */
export function createSemaphore(limit: number): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;
  return async (work, signal) => {
    signal?.throwIfAborted();
    // A finished work passes its slot to the first in line, so the count stays the same.
    if (running < limit) running += 1;
    else await place(signal);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else next();
    }
  };

  function place(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(take);
        reject(signal?.reason);
      };
      const take = () => {
        waiting.delete(take);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(take);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
