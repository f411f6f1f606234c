import type { Clock } from './clock.ts';
import type { Memory } from './memory.ts';

/** How often each key may do something: `burst` times at once, and then `perSecond`. */
export interface RateLimit {
  /** Whether `take` would succeed. */
  has(key: string): boolean;
  /** False if the key has used up its tokens. */
  take(key: string): boolean;
  /** In how many whole seconds, at least 1, `take` will succeed again if nobody else takes. */
  waitSeconds(key: string): number;
  /** Returns a token: what it was taken for turned out to be harmless. */
  giveBack(key: string): void;
}

/** A token bucket per key, bounded in number: the least recently used key starts over with a full bucket. */
export function createRateLimit(
  memory: Memory,
  { burst, perSecond }: { burst: number; perSecond: number },
  now: Clock = () => performance.now(),
): RateLimit {
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

  return {
    has: (key) => bucketOf(key).tokens >= 1,
    take(key) {
      const bucket = bucketOf(key);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    waitSeconds: (key) => Math.max(1, Math.ceil((1 - bucketOf(key).tokens) / perSecond)),
    giveBack(key) {
      const bucket = bucketOf(key);
      bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
  };
}
