import { createSemaphore, type Semaphore } from './semaphore.ts';

/**
 * Runs works with the same key one after another, first come, first served, and those with different keys in parallel.
 */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Only within this process; `app/runtime/duties/with-lock.ts` covers all processes on one store. */
export function createKeyedMutex(): KeyedMutex {
  const mutexes = new Map<string, { alone: Semaphore; users: number }>();
  return async (key, work) => {
    const mutex = mutexes.get(key) ?? { alone: createSemaphore(1), users: 0 };
    mutexes.set(key, mutex);
    mutex.users += 1;
    try {
      return await mutex.alone(work);
    } finally {
      mutex.users -= 1;
      if (mutex.users === 0) mutexes.delete(key);
    }
  };
}
