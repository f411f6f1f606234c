import { reasonOf } from '#app/runtime/background.ts';
import type { SettingsStore, StoredSetting } from '#ports/operator/settings.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { OpenedSettings } from './open-stored.ts';

/** Has in force in this process what any process has changed in the store. */
export interface FollowSettings {
  /**
   * Looks whether something has changed. What cannot be used is logged once, and what was in force before stays in
   * force. Throws if the store fails.
   */
  refresh(): Promise<void>;
}

/**
 * @param deps.apply puts the values of the store in force, by name; throws if they cannot be used
 * @param deps.seen the version that is in force at first
 */
export function createFollowSettings(deps: {
  store: Pick<SettingsStore, 'version' | 'read'>;
  open: (settings: readonly StoredSetting[]) => OpenedSettings;
  apply: (stored: Readonly<Record<string, string>>) => void;
  seen: number;
  logger: Logger;
}): FollowSettings {
  const { store, logger } = deps;
  let { seen } = deps;
  let looking: Promise<void> | null = null;
  let isBehind = false;

  async function look(): Promise<void> {
    if ((await store.version()) === seen) return;
    const { version, settings } = await store.read();
    seen = version;
    const { stored, unopened } = deps.open(settings);
    try {
      if (unopened.length > 0) throw new UnopenedSettings();
      deps.apply(stored);
      const ended = isBehind ? { alert_ended: 'settings_unusable' as const } : {};
      isBehind = false;
      logger.info({ settings_version: version, ...ended }, 'Changed settings are in force');
    } catch (error) {
      isBehind = true;
      const fields = { settings_version: version, unopened, error: reasonOf(error) };
      logger.error(
        { alert: 'settings_unusable', ...fields },
        'Changed settings cannot be used here; those before stay in force',
      );
    }
  }

  return {
    // Somebody who asks while it looks may have changed something since.
    async refresh() {
      while (looking !== null) await looking.catch(() => {});
      looking = look().finally(() => {
        looking = null;
      });
      await looking;
    },
  };
}

/** This process has another master key than the one that changed the settings. */
class UnopenedSettings extends Error {
  override readonly name = 'UnopenedSettings';
}
