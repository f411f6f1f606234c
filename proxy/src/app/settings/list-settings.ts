import { type Setting, type SettingsList, settingNames } from '@deskside/shared/operator/settings';
import type { SettingKinds, SettingsInForce, SettingsStore, StoredSetting } from '#ports/operator/settings.ts';
import { masked } from './open-stored.ts';

/** All settings as they are in force in this process, and where each comes from. Shows no secret. */
export type ListSettings = () => Promise<SettingsList>;

/**
 * @param deps.refresh has what the store holds in force here; the list would otherwise be a moment behind
 * @param deps.takesSecrets whether there is a master key
 */
export function createListSettings(deps: {
  store: Pick<SettingsStore, 'read'>;
  kinds: SettingKinds;
  inForce: () => SettingsInForce;
  refresh: () => Promise<void>;
  takesSecrets: boolean;
}): ListSettings {
  return async () => {
    await deps.refresh();
    const { version, settings } = await deps.store.read();
    const force = deps.inForce();
    const changed = (name: string, slot: string) => {
      const found = settings.find((one) => one.name === name && one.slot === slot);
      return found === undefined ? null : changeOf(found);
    };
    return {
      version,
      takes_secrets: deps.takesSecrets,
      settings: settingNames.map((name): Setting => {
        const isSecret = deps.kinds.isSecret(name);
        return {
          name,
          is_secret: isSecret,
          source: force.sourceOf(name),
          value: isSecret ? (force.hasSecret(name) ? masked : null) : force.shown(name),
          default: deps.kinds.defaultOf(name),
          example: deps.kinds.example(name),
          stored: changed(name, 'current'),
          next: changed(name, 'next'),
        };
      }),
    };
  };
}

function changeOf({ changedAt, changedBy }: StoredSetting): NonNullable<Setting['stored']> {
  return { at: new Date(changedAt).toISOString(), by: changedBy };
}
