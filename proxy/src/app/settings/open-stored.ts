import { type SettingName, settingSlots } from '@deskside/shared/settings';
import type { Sealer } from '#ports/runtime/settings.ts';
import type { StoredSetting } from '#store/settings/settings.ts';

/** What stands in a secret's place, for everybody who looks. */
export const masked = '••••';

const asked: ReadonlySet<SettingName> = new Set(['CRM_WEBHOOK_URL', 'CRM_RESPONSIBLE_WEBHOOK_URL']);

/** Where a value stands, which its seal is bound to. */
export function placeOf({ name, slot }: Pick<StoredSetting, 'name' | 'slot'>): string {
  return `deskside setting ${name} ${slot}`;
}

/**
 * The values of the store in the clear, by name, of a secret both with a comma between; and which cannot be opened. The
 * CRM is asked through the current webhook first; of secrets that others use, the next one comes first, as in the
 * environment: it is what `provision` gives to the helpdesk.
 */
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
      else if (!(name in stored)) stored[name] = text;
      else stored[name] = asked.has(name) ? `${stored[name]},${text}` : `${text},${stored[name]}`;
    }
  return { stored, unopened: [...new Set(unopened)] };
}
