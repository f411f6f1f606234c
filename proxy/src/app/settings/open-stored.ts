import { type SettingName, settingSlots } from '@deskside/shared/operator/settings';
import type { Sealer, StoredSetting } from '#ports/settings.ts';

/** What stands in a secret's place, for everybody who looks. */
export const masked = '••••';

/** Where a value stands, which its seal is bound to. */
export function placeOf({ name, slot }: Pick<StoredSetting, 'name' | 'slot'>): string {
  return `deskside setting ${name} ${slot}`;
}

/** The values of the store in the clear, by name, a secret with its next value after a comma; and which cannot be opened. */
export interface OpenedSettings {
  stored: Record<string, string>;
  unopened: SettingName[];
}

/**
 * @param sealer null without a master key
 * @param isOverruled what the environment sets is left out: it need not even open
 */
export function openStored(
  settings: readonly StoredSetting[],
  sealer: Sealer | null,
  isOverruled: (name: SettingName) => boolean = () => false,
): OpenedSettings {
  const stored: Record<string, string> = {};
  const unopened: SettingName[] = [];
  for (const slot of settingSlots)
    for (const setting of settings.filter((one) => one.slot === slot && !isOverruled(one.name))) {
      const { name } = setting;
      const text = setting.isSealed ? (sealer?.open(setting.value, placeOf(setting)) ?? null) : setting.value;
      if (text === null) unopened.push(name);
      else stored[name] = name in stored ? `${stored[name]},${text}` : text;
    }
  return { stored, unopened: [...new Set(unopened)] };
}
