import type { SettingName } from '@deskside/shared/operator/settings';
import { createSealer } from '#adapters/sealing/aes-gcm.ts';
import { unopenedOf } from '#app/settings/change-setting.ts';
import { createFollowSettings } from '#app/settings/follow-settings.ts';
import { type OpenedSettings, openStored } from '#app/settings/open-stored.ts';
import type { Settings } from '#app/settings/settings.ts';
import { createTrySetting } from '#checks/try-setting.ts';
import { type Config, ConfigError } from '#config/environment.ts';
import { claimsInForce } from '#config/rules.ts';
import { hasSecret, settingKinds, shownIn } from '#config/settings-catalogue.ts';
import type { Sealer, SettingsStore, StoredSetting } from '#ports/operator/settings.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';

/**
 * Part of the composition root.
 *
 * @param parts.config the environment
 * @param parts.current what is in force
 * @param parts.apply puts the environment over these values of the store in force; throws if they cannot be used
 * @param parts.seen the version of the store that is in force at first
 */
export function wireSettings(parts: {
  config: Config;
  store: SettingsStore;
  current: () => Config;
  apply: (config: Config) => void;
  seen: number;
  clock: Clock;
  logger: Logger;
}): Settings {
  const { config, store, clock } = parts;
  const inForce = () => {
    const current = parts.current();
    return {
      sourceOf: current.sourceOf,
      shown: (name: SettingName) => shownIn(current, name),
      hasSecret: (name: SettingName) => hasSecret(current, name),
    };
  };
  const { refresh } = createFollowSettings({
    ...{ store, seen: parts.seen, logger: parts.logger },
    open: (settings) => openUnder(config, settings),
    apply: (stored) => parts.apply(config.over(stored)),
  });
  return {
    store,
    kinds: settingKinds,
    sealer: sealerOf(config),
    inForce,
    trySetting: createTrySetting({ config, clock }),
    refresh,
    routingUnder: (stored) => {
      const { rules } = config.over(stored);
      return { ...rules, claims: claimsInForce(rules) };
    },
  };
}

/**
 * What is in force when a process begins: the environment over the store.
 *
 * @throws ConfigError if it cannot be used
 */
export async function readSettings(
  config: Config,
  store: Pick<SettingsStore, 'read'>,
): Promise<{ current: Config; seen: number }> {
  const { version, settings } = await store.read();
  const { stored, unopened } = openUnder(config, settings);
  if (unopened.length > 0) throw new ConfigError(unopenedOf(unopened));
  return { current: config.over(stored), seen: version };
}

/** The values of the store that the environment does not set itself. */
export function openUnder(config: Config, settings: readonly StoredSetting[]): OpenedSettings {
  const { sourceOf } = config.over({});
  return openStored(settings, sealerOf(config), (name) => sourceOf(name) === 'environment');
}

/** Null without a master key. */
export function sealerOf({
  MASTER_KEY_FILE,
  MASTER_KEY,
}: Pick<Config, 'MASTER_KEY_FILE' | 'MASTER_KEY'>): Sealer | null {
  const keys = MASTER_KEY_FILE ?? MASTER_KEY;
  return keys ? createSealer(keys.map((key) => key.reveal())) : null;
}
