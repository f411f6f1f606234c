import { memoryStore } from '#adapters/store-sql/testing/memory-store.ts';
import type { SettingsStore } from '#ports/operator/settings.ts';

/** The settings of a store in memory. */
export function fakeSettingsStore(): SettingsStore {
  return memoryStore().settings;
}
