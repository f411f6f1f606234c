import { SettingRefused } from './setting-refused.ts';

/** Who looks at the settings or changes them. */
export interface Actor {
  /** As the audit trail names them: a helpdesk user, or the command line and its user. */
  name: string;
  /** System Managers may, and whoever has a shell on the machine. */
  mayChangeSettings: boolean;
}

/** Throws `SettingRefused` for everybody else. */
export function requireChange({ mayChangeSettings }: Actor): void {
  if (!mayChangeSettings) throw new SettingRefused('not_allowed', 'Only System Managers may change settings.');
}
