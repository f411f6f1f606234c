import { type Setting, type SettingsList, settingNames } from '@deskside/shared/operator/settings';
import type { StoredSetting } from '#ports/operator/settings.ts';
import { masked } from './open-stored.ts';
import type { Settings } from './settings.ts';

/**
 * All settings as they are in force in this process, and where each comes from, with what any process has changed before.
 * Shows no secret.
 */
export async function listSettings({ settings }: { settings: Omit<Settings, 'routingUnder'> }): Promise<SettingsList> {
  const { kinds, sealer } = settings;
  await settings.refresh();
  const { version, settings: stored } = await settings.store.read();
  const force = settings.inForce();
  const changed = (name: string, slot: string) => {
    const found = stored.find((one) => one.name === name && one.slot === slot);
    return found === undefined ? null : changeOf(found);
  };
  return {
    version,
    takes_secrets: sealer !== null,
    settings: settingNames.map((name): Setting => {
      const isSecret = kinds.isSecret(name);
      return {
        name,
        is_secret: isSecret,
        source: force.sourceOf(name),
        value: isSecret ? (force.hasSecret(name) ? masked : null) : force.shown(name),
        default: kinds.defaultOf(name),
        example: kinds.example(name),
        stored: changed(name, 'current'),
        next: changed(name, 'next'),
      };
    }),
  };
}

function changeOf({ changedAt, changedBy }: StoredSetting): NonNullable<Setting['stored']> {
  return { at: new Date(changedAt).toISOString(), by: changedBy };
}
