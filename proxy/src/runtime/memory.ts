import { LRUCache } from 'lru-cache';
import { AppError } from './app-error.ts';
import { unlessAborted } from './concurrency.ts';
import { machine } from './machine.ts';

/** One kind of short-lived value. A forgotten value reads as undefined. */
export interface MemoryArea<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

/**
 * One kind of short-lived value that can be read where it is not known. Equal questions at the same moment are one read,
 * which ends by itself within half a minute; a failure is not remembered. In the last fifth of its time a value that is
 * still wanted is read anew, so that nobody waits when it expires; if that fails, it stays until then.
 */
export interface Readings<T> {
  /** What is known, else what `read` says. A caller whose signal fires drops out alone, with its reason. */
  get(key: string, read: Reader<T>, signal: AbortSignal): Promise<T>;
  /** What is known by now. */
  peek(key: string, read: Reader<T>): T | undefined;
  /** A read that is under way answers those who wait for it, and is not remembered. */
  delete(key: string): void;
}

/** The signal fires when the time for it is up. */
export type Reader<T> = (signal: AbortSignal) => Promise<T>;

/** Values that this process keeps for seconds, limited in number; nothing outlives a restart. */
export interface Memory {
  area<T extends object>(options: { ttlMs: number; max: number }): MemoryArea<T>;
  readings<T extends NonNullable<unknown>>(options: { ttlMs: number; max: number }): Readings<T>;
}

/** The time as epoch milliseconds. Injected, so that tests control it. */
export type Clock = () => number;

interface AreaLimits {
  ttlMs: number;
  max: number;
}

/** The share of its time after which a value is read anew: the last fifth is longer than a read takes. */
const dueAfter = 0.8;
const readWithinMs = 30_000;

/** Memory on lru-cache: what has expired is let go of by itself; when an area is full, the least recently used value goes first. */
export const lruMemory: Memory = memoryBy(() => machine.elapsed());

/** The same by another clock, in milliseconds. */
export function memoryBy(now: () => number): Memory {
  return {
    area<T extends object>(kept: AreaLimits): MemoryArea<T> {
      const cache = new LRUCache<string, T>(optionsFor(kept, now));
      purgeNowAndThen(cache, kept.ttlMs);
      return {
        get: (key) => cache.get(key),
        set: (key, value) => void cache.set(key, value),
        delete: (key) => void cache.delete(key),
      };
    },
    readings<T extends NonNullable<unknown>>(kept: AreaLimits): Readings<T> {
      const cache = new LRUCache<string, T, Reader<T>>({
        ...optionsFor(kept, now),
        fetchMethod: (_key, _known, { context: read }) => read(machine.timeout(readWithinMs)),
        noDeleteOnFetchRejection: true,
        // A key that is deleted, or pushed out, meanwhile is still read for those who wait.
        ignoreFetchAbort: true,
      });
      purgeNowAndThen(cache, kept.ttlMs);
      const peek = (key: string, read: Reader<T>) => {
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

function optionsFor({ ttlMs, max }: AreaLimits, now: () => number) {
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
  const end = machine.every(Math.max(ttlMs, 1_000), () => {
    const there = held.deref();
    if (there === undefined) end();
    else there.purgeStale();
  });
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * How often each key may do something: `burst` times at once, and then `perSecond`. A token bucket per key, bounded in
 * number: the least recently used key starts over with a full bucket.
 */
export function createRateLimit(
  memory: Memory,
  { burst, perSecond }: { burst: number; perSecond: number },
  now: Clock = () => machine.elapsed(),
) {
  const buckets = memory.area<{ tokens: number; at: number }>({
    ttlMs: Math.ceil((burst / perSecond) * 1_000),
    max: 10_000,
  });

  function bucketOf(key: string) {
    const at = now();
    const before = buckets.get(key) ?? { tokens: burst, at };
    // A clock that has been put back takes no tokens away.
    const passed = Math.max(0, at - before.at) / 1_000;
    const bucket = { tokens: Math.min(burst, before.tokens + passed * perSecond), at };
    buckets.set(key, bucket);
    return bucket;
  }

  /** False if the key has used up its tokens. */
  function take(key: string): boolean {
    const bucket = bucketOf(key);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  return {
    /** Whether `take` would succeed. */
    has: (key: string) => bucketOf(key).tokens >= 1,
    take,
    /** Takes for a user, who may have any number of credentials. Throws `rate_limited`, with when there is a token again. */
    spend({ id }: { id: string }): void {
      if (!take(id)) throw AppError.rateLimited(Math.max(1, Math.ceil((1 - bucketOf(id).tokens) / perSecond)));
    },
    /**
     * Takes for a user ahead of time, and returns in how many milliseconds the token is there: who comes next waits longer.
     * Throws `rate_limited`, and takes nothing, if that is more than `withinMs`.
     */
    spendAhead({ id }: { id: string }, withinMs: number): number {
      const bucket = bucketOf(id);
      const waitMs = (Math.max(0, 1 - bucket.tokens) / perSecond) * 1_000;
      if (waitMs > withinMs) throw AppError.rateLimited(Math.max(1, Math.ceil(waitMs / 1_000)));
      bucket.tokens -= 1;
      return waitMs;
    },
  };
}
