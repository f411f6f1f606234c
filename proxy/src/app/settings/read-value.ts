import type { SettingName } from '@deskside/shared/settings';
import type { SettingKinds } from '#ports/runtime/settings.ts';
import { remark } from './remark.ts';
import { SettingRefused } from './setting-refused.ts';

/** What would be kept of a setting's value as somebody has written it. Throws `SettingRefused` with each part that is wrong. */
export function readValue(kinds: Pick<SettingKinds, 'read'>, name: SettingName, value: string): string {
  const found = kinds.read(name, value);
  if ('text' in found) return found.text;
  const remarks = found.problems.map(({ problem, at }) => remark('value_unusable', `${problem}.`, { at }));
  throw new SettingRefused('refused', remarks, name);
}
