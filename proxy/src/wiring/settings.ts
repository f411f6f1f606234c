import type { SettingName } from '@deskside/shared/settings';
import { sealerOf } from '#adapters/sealing/aes-gcm.ts';
import { unopenedOf } from '#app/settings/change-setting.ts';
import { createFollowSettings, type First, type FollowSettings } from '#app/settings/follow-settings.ts';
import { type OpenedSettings, openStored } from '#app/settings/open-stored.ts';
import type { Settings } from '#app/settings/settings.ts';
import { trySetting } from '#checks/try-setting.ts';
import { type Config, ConfigError } from '#config/environment.ts';
import { hasSecret, settingKinds, shownIn } from '#config/settings-catalogue.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { StoredSetting } from '#store/settings/settings.ts';
import type { Store } from '#store/store.ts';

/** The settings, and who goes by them. */
export type FollowedSettings = Settings & Pick<FollowSettings<Config>, 'follow'>;

/** @param parts.config the environment, which goes over what the store holds */
export function followedSettings(parts: {
  config: Config;
  store: Store['settings'];
  first: First<Config>;
  clock: Clock;
  logger: Logger;
}): FollowedSettings {
  const { config, store, first, clock, logger } = parts;
  const { inForce, follow, refresh } = createFollowSettings({
    store,
    first,
    logger,
    open: (settings) => openUnder(config, settings),
    over: (stored) => config.over(stored),
  });
  return {
    store,
    kinds: settingKinds,
    sealer: sealerOf(config),
    inForce() {
      const { now } = inForce;
      return {
        sourceOf: now.sourceOf,
        shown: (name: SettingName) => shownIn(now, name),
        hasSecret: (name: SettingName) => hasSecret(now, name),
      };
    },
    trySetting: (proposed, signal) => trySetting({ config, clock }, proposed, signal),
    refresh,
    follow,
  };
}

/**
 * What is in force when a process begins: the environment over the store.
 *
 * @throws ConfigError if it cannot be used
 */
export async function readSettings(config: Config, store: Pick<Store['settings'], 'read'>): Promise<First<Config>> {
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
