import type { SettingsStore } from '#ports/operator/settings.ts';
import { memoryStore } from '#store/testing/memory-store.ts';

/** The settings of a store in memory. */
export function fakeSettingsStore(): SettingsStore {
  return memoryStore().settings;
}
