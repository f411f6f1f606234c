/** Runs `work` when its turn has come. Rejects with the signal's reason if that fires before. */
export type InTurn = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** At most `limit` works run at once; the others wait, first come, first served. */
export function createTurns(limit: number): InTurn {
  const waiting = new Set<() => void>();
  let running = 0;
  return async (signal, work) => {
    signal.throwIfAborted();
    // Whoever ends hands his place to the first in line, so the count stays the same.
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

  function place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(take);
        reject(signal.reason);
      };
      const take = () => {
        waiting.delete(take);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(take);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
