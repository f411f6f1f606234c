import type { Leases } from '#ports/runtime/lease.ts';

/** Leases that never expire; several proxies may share them. */
export function fakeLeases(): Leases & { held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    async take(keys, owner) {
      const free = keys.filter((key) => (held.get(key) ?? owner) === owner);
      for (const key of free) held.set(key, owner);
      return new Set(free);
    },
    async release(keys, owner) {
      for (const key of keys) if (held.get(key) === owner) held.delete(key);
    },
    deleteExpired: async () => 0,
  };
}
