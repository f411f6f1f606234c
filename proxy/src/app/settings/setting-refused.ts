import type { Remark, SettingName } from '@deskside/shared/settings';

/**
 * Settings were not changed. `refused`: the value cannot be used. `changed_since`: somebody else has
 * changed something at the same moment. The message is for a person and quotes no secret.
 */
export class SettingRefused extends Error {
  override readonly name = 'SettingRefused';
  readonly why: 'refused' | 'changed_since';
  /** The setting in question; null if none is. */
  readonly setting: SettingName | null;
  readonly remarks: readonly Remark[];

  constructor(why: SettingRefused['why'], said: string | readonly Remark[], setting: SettingName | null = null) {
    super(typeof said === 'string' ? said : said.map(({ message }) => message).join(' '));
    this.why = why;
    this.setting = setting;
    this.remarks = typeof said === 'string' ? [] : said;
  }
}
