import { reasonOf } from '#app/runtime/background.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { StoredSetting } from '#store/settings/settings.ts';
import type { Store } from '#store/store.ts';
import type { OpenedSettings } from './open-stored.ts';

/** What is in force at first, and the version of the store that says so. */
export interface First<C> {
  current: C;
  seen: number;
}

/** Holds what belongs to the configuration that is in force; work that has begun ends with what it held then. */
export interface Current<T> {
  readonly now: T;
}

/** Has in force in this process what any process has changed in the store. */
export interface FollowSettings<C> {
  /** The configuration itself. */
  inForce: Current<C>;
  /**
   * Makes something for the configuration that is in force, and anew for each that comes into force.
   *
   * @param make throws if a configuration cannot be used: the one before stays in force
   * @returns holds the one for the configuration in force
   */
  follow<T>(make: (config: C) => T): Current<T>;
  /**
   * Looks whether something has changed. What cannot be used is logged once, and what was in force before stays in
   * force. Throws if the store fails.
   */
  refresh(): Promise<void>;
}

/** @param deps.over the configuration with the values of the store, by name; throws if they cannot be used */
export function createFollowSettings<C>(deps: {
  store: Pick<Store['settings'], 'version' | 'read'>;
  open: (settings: readonly StoredSetting[]) => OpenedSettings;
  over: (stored: Readonly<Record<string, string>>) => C;
  first: First<C>;
  logger: Logger;
}): FollowSettings<C> {
  const { store, logger } = deps;
  let { seen } = deps.first;
  const inForce = { now: deps.first.current };
  const followers: ((config: C) => void)[] = [];
  let looking: Promise<void> | null = null;
  let isBehind = false;

  async function look(): Promise<void> {
    if ((await store.version()) === seen) return;
    const { version, settings } = await store.read();
    seen = version;
    const { stored, unopened } = deps.open(settings);
    try {
      if (unopened.length > 0) throw new UnopenedSettings();
      const changed = deps.over(stored);
      for (const follower of followers) follower(changed);
      inForce.now = changed;
      const ended = isBehind ? { fault_ended: 'settings_unusable' as const } : {};
      isBehind = false;
      logger.info({ settings_version: version, ...ended }, 'Changed settings are in force');
    } catch (error) {
      isBehind = true;
      const fields = { settings_version: version, unopened, error: reasonOf(error) };
      logger.error(
        { fault: 'settings_unusable', ...fields },
        'Changed settings cannot be used here; those before stay in force',
      );
    }
  }

  return {
    inForce,
    follow(make) {
      const made = { now: make(inForce.now) };
      followers.push((changed) => {
        made.now = make(changed);
      });
      return made;
    },
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
