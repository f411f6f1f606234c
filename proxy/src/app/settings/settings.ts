import type { Sealer, SettingKinds, SettingsInForce, TrySetting } from '#ports/runtime/settings.ts';
import type { Store } from '#store/store.ts';

/** The settings of the store, and what is in force of them in this process (docs/decisions.md 34). */
export interface Settings {
  store: Store['settings'];
  kinds: SettingKinds;
  /** Null without a master key. */
  sealer: Sealer | null;
  inForce: () => SettingsInForce;
  trySetting: TrySetting;
  /** Has in force in this process what any process has changed; throws if the store fails. */
  refresh: () => Promise<void>;
}
