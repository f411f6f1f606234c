import { LRUCache } from 'lru-cache';
import type { Memory, MemoryArea } from '#ports/memory.ts';

/** Memory on lru-cache: when an area is full, the least recently used value goes first. */
export const lruMemory: Memory = {
  area<T extends object>({ ttlMs, max }: { ttlMs: number; max: number }): MemoryArea<T> {
    const cache = new LRUCache<string, T>({ ttl: ttlMs, max });
    return {
      get: (key) => cache.get(key),
      set: (key, value) => void cache.set(key, value),
      delete: (key) => void cache.delete(key),
    };
  },
};
