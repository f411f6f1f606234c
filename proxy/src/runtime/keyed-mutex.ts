/**
 * Runs works with the same key one after another, first come, first served, and those with different keys in parallel.
 */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Only within this process; `app/runtime/duties/with-lock.ts` covers all processes on one store. */
export function createKeyedMutex(): KeyedMutex {
  /** Who waits for a key that somebody is at work on. */
  const lines = new Map<string, (() => void)[]>();
  return async (key, work) => {
    const line = lines.get(key);
    if (line === undefined) lines.set(key, []);
    else await new Promise<void>((enter) => line.push(enter));
    try {
      return await work();
    } finally {
      const next = lines.get(key)?.shift();
      if (next === undefined) lines.delete(key);
      else next();
    }
  };
}
