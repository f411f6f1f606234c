import type { Remark, SettingRemark } from '@deskside/shared/settings';

/**
 * What is to be said of a change to a setting.
 *
 * @param message in English, complete in itself; quotes no secret
 * @param params what of it other languages need; no secret either
 */
export function remark(code: SettingRemark, message: string, params: Readonly<Record<string, string>> = {}): Remark {
  return { code, params, message };
}
