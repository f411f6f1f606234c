import { LRUCache } from 'lru-cache';
import type { Memory, MemoryArea, Read, Readings } from './memory.ts';
import { unlessAborted } from './unless-aborted.ts';

interface Kept {
  ttlMs: number;
  max: number;
}

/** The share of its time after which a value is read anew: the last fifth is longer than a read takes. */
const dueAfter = 0.8;
const readWithinMs = 30_000;

/** Memory on lru-cache: what has expired is let go of by itself; when an area is full, the least recently used value goes first. */
export const lruMemory: Memory = memoryBy(() => performance.now());

/** The same by another clock, in milliseconds. */
export function memoryBy(now: () => number): Memory {
  return {
    area<T extends object>(kept: Kept): MemoryArea<T> {
      const cache = new LRUCache<string, T>(optionsFor(kept, now));
      purgeNowAndThen(cache, kept.ttlMs);
      return {
        get: (key) => cache.get(key),
        set: (key, value) => void cache.set(key, value),
        delete: (key) => void cache.delete(key),
      };
    },
    readings<T extends NonNullable<unknown>>(kept: Kept): Readings<T> {
      const cache = new LRUCache<string, T, Read<T>>({
        ...optionsFor(kept, now),
        fetchMethod: (_key, _known, { context: read }) => read(AbortSignal.timeout(readWithinMs)),
        noDeleteOnFetchRejection: true,
        // A key that is deleted, or pushed out, meanwhile is still read for those who wait.
        ignoreFetchAbort: true,
      });
      purgeNowAndThen(cache, kept.ttlMs);
      const peek = (key: string, read: Read<T>) => {
        const known = cache.get(key);
        const isDue = known !== undefined && cache.getRemainingTTL(key) < kept.ttlMs * (1 - dueAfter);
        if (isDue) cache.forceFetch(key, { context: read, forceRefresh: true }).catch(() => {});
        return known;
      };
      return {
        async get(key, read, signal) {
          signal.throwIfAborted();
          return peek(key, read) ?? unlessAborted(cache.forceFetch(key, { context: read }), signal);
        },
        peek,
        delete: (key) => void cache.delete(key),
      };
    },
  };
}

function optionsFor({ ttlMs, max }: Kept, now: () => number) {
  return {
    // A number of entries is handed in as a size: room for `max` would be taken, and filled, for every area at once.
    maxSize: max,
    sizeCalculation: () => 1,
    // The library considers a value stale only when it is older than this.
    ttl: ttlMs - 1,
    ttlResolution: 0,
    perf: { now },
  };
}

/**
 * Lets go of what has expired as long as the cache is there. The library's own way is a timer for each value, made anew with
 * each `set`.
 */
function purgeNowAndThen(cache: { purgeStale(): boolean }, ttlMs: number): void {
  const held = new WeakRef(cache);
  const timer = setInterval(
    () => {
      const there = held.deref();
      if (there === undefined) clearInterval(timer);
      else there.purgeStale();
    },
    Math.max(ttlMs, 1_000),
  );
  timer.unref();
}
