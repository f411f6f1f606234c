import { LRUCache } from 'lru-cache';
import type { Memory, MemoryArea } from '#ports/runtime/memory.ts';

/** Memory on lru-cache: what has expired is let go of by itself; when an area is full, the least recently used value goes first. */
export const lruMemory: Memory = {
  area<T extends object>({ ttlMs, max }: { ttlMs: number; max: number }): MemoryArea<T> {
    // A number of entries is handed in as a size: room for `max` would be taken, and filled, for every area at once.
    const cache = new LRUCache<string, T>({ ttl: ttlMs, maxSize: max, sizeCalculation: () => 1 });
    purgeNowAndThen(cache, ttlMs);
    return {
      get: (key) => cache.get(key),
      set: (key, value) => void cache.set(key, value),
      delete: (key) => void cache.delete(key),
    };
  },
};

/**
 * Lets go of what has expired as long as the cache is there. The library's own way is a timer for each value, made anew with
 * each `set`.
 */
function purgeNowAndThen<T extends object>(cache: LRUCache<string, T>, ttlMs: number): void {
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
