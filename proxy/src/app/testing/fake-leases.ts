import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';

/** The leases of a store in memory, by its clock; several proxies may share them. `held`: the owner of each key. */
export function fakeLeases({ leases, database }: MemoryStore = memoryStore()) {
  const held = database.prepare<[], [string, string]>('select key, owner from lease').raw();
  return {
    ...leases,
    get held() {
      return new Map(held.all());
    },
  };
}
