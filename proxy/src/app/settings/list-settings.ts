import { type Setting, type SettingsList, settingNames } from '@deskside/shared/settings';
import type { StoredSetting } from '#store/settings/settings.ts';
import { masked } from './open-stored.ts';
import type { Settings } from './settings.ts';

/**
 * All settings as they are in force in this process, and where each comes from, with what any process has changed before.
 * Shows no secret.
 */
export async function listSettings({ settings }: { settings: Settings }): Promise<SettingsList> {
  const { kinds, sealer } = settings;
  await settings.refresh();
  const { version, settings: stored } = await settings.store.read();
  const force = settings.inForce();
  const find = (name: string, slot: string) => stored.find((one) => one.name === name && one.slot === slot) ?? null;
  return {
    version,
    takes_secrets: sealer !== null,
    settings: settingNames.map((name): Setting => {
      const isSecret = kinds.isSecret(name);
      const [current, next] = [find(name, 'current'), find(name, 'next')];
      return {
        name,
        is_secret: isSecret,
        source: force.sourceOf(name),
        value: isSecret ? (force.hasSecret(name) ? masked : null) : force.shown(name),
        default: kinds.defaultOf(name),
        example: kinds.example(name),
        stored: current && changeOf(current),
        stored_value: current === null || isSecret ? null : kinds.shown(name, current.value),
        next: next && changeOf(next),
      };
    }),
  };
}

function changeOf({ changedAt, changedBy }: StoredSetting): NonNullable<Setting['stored']> {
  return { at: new Date(changedAt).toISOString(), by: changedBy };
}
