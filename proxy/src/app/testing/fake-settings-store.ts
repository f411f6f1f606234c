import type { Store } from '#store/store.ts';
import { memoryStore } from '#store/testing/memory-store.ts';

/** The settings of a store in memory. */
export function fakeSettingsStore(): Store['settings'] {
  return memoryStore().settings;
}
