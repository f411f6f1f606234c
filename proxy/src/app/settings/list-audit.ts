import type { SettingChange } from '@deskside/shared/operator/settings';
import type { SettingsStore } from '#ports/operator/settings.ts';

/** What became of the settings, latest first, at most so many; before a version, if one is given. */
export type ListAudit = (page: { limit: number; before?: number }) => Promise<SettingChange[]>;

export function createListAudit({ store }: { store: Pick<SettingsStore, 'changes'> }): ListAudit {
  return (page) => store.changes(page);
}
