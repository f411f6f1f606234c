/** One kind of short-lived value. A forgotten value reads as undefined. */
export interface MemoryArea<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

/** Values that this process keeps for seconds, limited in number; nothing outlives a restart. */
export interface Memory {
  area<T extends object>(options: { ttlMs: number; max: number }): MemoryArea<T>;
}
