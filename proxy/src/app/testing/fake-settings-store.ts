import type { SettingChange } from '@deskside/shared/operator/settings';
import type { SettingsStore, StoredSetting } from '#ports/operator/settings.ts';

/** A store of settings in memory; its contract is tested with that of the real ones. */
export function fakeSettingsStore(): SettingsStore {
  let settings: StoredSetting[] = [];
  const changes: SettingChange[] = [];
  return {
    version: async () => changes.length,
    read: async () => ({ version: changes.length, settings: [...settings] }),
    async change(edits, { since, at, author }) {
      if (since !== changes.length) return null;
      for (const { row, ...edit } of edits) {
        const { name, slot } = edit;
        settings = settings.filter((one) => one.name !== name || one.slot !== slot);
        if (row !== null) settings.push({ name, slot, ...row, changedAt: at, changedBy: author });
        changes.push({ ...edit, version: changes.length + 1, at: new Date(at).toISOString(), by: author });
      }
      return changes.length;
    },
    changes: async ({ limit, before = Number.POSITIVE_INFINITY }) =>
      changes
        .filter(({ version }) => version < before)
        .toReversed()
        .slice(0, limit),
  };
}
