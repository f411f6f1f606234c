import type {
  Remark,
  SettingChange,
  SettingName,
  SettingSlot,
  SettingSource,
} from '@deskside/shared/operator/settings';

/** One value in the store. */
export interface StoredSetting {
  name: SettingName;
  slot: SettingSlot;
  /** As it is set; sealed if it is a secret. */
  value: string;
  isSealed: boolean;
  /** Epoch milliseconds. */
  changedAt: number;
  changedBy: string;
}

/** One change to the store and what the audit trail says of it; `row`: null removes the value. */
export interface SettingEdit extends Pick<SettingChange, 'name' | 'slot' | 'action' | 'old' | 'new' | 'default'> {
  row: Pick<StoredSetting, 'value' | 'isSealed'> | null;
}

/** The settings of all processes on one store. Every method throws if the store fails. */
export interface SettingsStore {
  /** Grows with every change, whoever makes it; 0 at first. Cheap: processes ask it every other second. */
  version(): Promise<number>;
  /** All values of one moment, and the version that they make. */
  read(): Promise<{ version: number; settings: StoredSetting[] }>;
  /**
   * Makes all changes, or none if the version is not `since` any more: somebody else has changed something. They are in
   * the audit trail then, under a version each.
   *
   * @returns the version afterwards; null if nothing was changed
   */
  change(edits: readonly SettingEdit[], by: { since: number; at: number; author: string }): Promise<number | null>;
  /** The audit trail, latest first, before a version if one is given. */
  changes(page: { limit: number; before?: number }): Promise<SettingChange[]>;
}

/** Seals what must not be readable in the store. */
export interface Sealer {
  /** `place`: where the text will stand; opened elsewhere it is refused. */
  seal(text: string, place: string): string;
  /** Null if none of the keys opens it there. */
  open(sealed: string, place: string): string | null;
}

/** What a setting may be. */
export interface SettingKinds {
  isSecret(name: SettingName): boolean;
  /**
   * What will be kept for a given text, or what is wrong with it, in words that never quote a secret; `at`: the setting, or
   * the part of it that is wrong, such as `teams.sme`.
   */
  read(name: SettingName, given: string): { text: string } | { problems: { problem: string; at: string }[] };
  /** What holds without environment and store; null for nothing. */
  defaultOf(name: SettingName): string | null;
  /** A value as it could be set; null for what is no rule. */
  example(name: SettingName): string | null;
  /** As people read it what is kept. Not for secrets. */
  shown(name: SettingName, kept: string): string | null;
}

/** The settings as they are in force in this process. */
export interface SettingsInForce {
  sourceOf(name: SettingName): SettingSource;
  /** Null if it has no value, and for every secret. */
  shown(name: SettingName): string | null;
  hasSecret(name: SettingName): boolean;
}

/** A change that is not made yet. */
export interface ProposedSetting {
  name: SettingName;
  slot: SettingSlot;
  /** Null: it loses its value. */
  text: string | null;
  /** All values of the store as they would be, by name; of a secret both with a comma between. */
  stored: Readonly<Record<string, string>>;
}

/**
 * Tries a change before it is kept: asks the CRM with a new key, looks up teams and fields.
 *
 * @returns why it must not be kept, and what the operator should know all the same
 */
export type TrySetting = (
  proposed: ProposedSetting,
  signal: AbortSignal,
) => Promise<{ problems: Remark[]; notes: Remark[] }>;
