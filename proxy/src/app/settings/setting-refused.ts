import type { SettingName } from '@deskside/shared/operator/settings';

/**
 * Settings were not changed. `not_allowed`: this person may not. `refused`: the value cannot be used. `changed_since`:
 * somebody else has changed something at the same moment. The message is for a person and quotes no secret.
 */
export class SettingRefused extends Error {
  override readonly name = 'SettingRefused';
  readonly why: 'not_allowed' | 'refused' | 'changed_since';
  /** The setting in question; null if none is. */
  readonly setting: SettingName | null;

  constructor(why: SettingRefused['why'], message: string, setting: SettingName | null = null) {
    super(message);
    this.why = why;
    this.setting = setting;
  }
}
