import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';

/** A remembered value. The object stays the same until the value is read again. */
export interface Kept<T> {
  readonly value: T;
}

/** Values that are remembered for a while, and read anew shortly before that if somebody still wants them. */
export interface Renewable<T> {
  get(key: string): Kept<T> | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  /** Whether to read it anew now, so that nobody has to wait when it expires. True for one caller. */
  isDue(kept: Kept<T>): boolean;
}

/** The share of its time after which a value is read anew: the last fifth is longer than a read takes. */
const dueAfter = 0.8;

export function renewable<T>(
  memory: Memory,
  { ttlMs, max }: { ttlMs: number; max: number },
  clock: Clock = Date.now,
): Renewable<T> {
  const area = memory.area<Kept<T>>({ ttlMs, max });
  const dueAt = new WeakMap<Kept<T>, number>();
  return {
    get: area.get,
    delete: area.delete,
    set(key, value) {
      const kept = { value };
      dueAt.set(kept, clock() + ttlMs * dueAfter);
      area.set(key, kept);
    },
    isDue(kept) {
      if (clock() < (dueAt.get(kept) ?? Number.POSITIVE_INFINITY)) return false;
      dueAt.delete(kept);
      return true;
    },
  };
}
