/** One kind of short-lived knowledge. A forgotten value reads as undefined. */
export interface MemoryArea<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

/** Knowledge that this process keeps for seconds, bounded in number; nothing in it outlives a restart. */
export interface Memory {
  area<T extends object>(options: { ttlMs: number; max: number }): MemoryArea<T>;
}
