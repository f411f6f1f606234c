/** The settings that can change at run time, and what became of them. */
export interface SettingsSchema {
  setting: {
    name: string;
    slot: string;
    value: string;
    /** 1 if the value is sealed. */
    sealed: number;
    changed_at: number;
    changed_by: string;
  };
  /** The audit trail. */
  setting_change: {
    version: number;
    at: number;
    author: string;
    name: string;
    slot: string;
    action: string;
    old: string | null;
    new: string | null;
    /** What held in place of no value. */
    standard: string | null;
  };
  /** One row. */
  settings_version: { one: number; version: number };
}
