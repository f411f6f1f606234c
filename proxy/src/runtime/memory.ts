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
  get(key: string, read: Read<T>, signal: AbortSignal): Promise<T>;
  /** What is known by now. */
  peek(key: string, read: Read<T>): T | undefined;
  /** A read that is under way answers those who wait for it, and is not remembered. */
  delete(key: string): void;
}

/** The signal fires when the time for it is up. */
export type Read<T> = (signal: AbortSignal) => Promise<T>;

/** Values that this process keeps for seconds, limited in number; nothing outlives a restart. */
export interface Memory {
  area<T extends object>(options: { ttlMs: number; max: number }): MemoryArea<T>;
  readings<T extends NonNullable<unknown>>(options: { ttlMs: number; max: number }): Readings<T>;
}
