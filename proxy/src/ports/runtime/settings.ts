import type { Remark, SettingName, SettingSlot, SettingSource } from '@deskside/shared/settings';

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
