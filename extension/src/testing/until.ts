import { vi } from 'vitest';

/** Waits until a check passes. It looks often, since React needs only a moment, and long, since a machine may be busy. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { interval: 2, timeout: 60_000 });
}
