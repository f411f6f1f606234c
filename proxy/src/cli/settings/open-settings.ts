import type { Actor } from '#app/settings/actor.ts';
import { unopenedOf } from '#app/settings/change-setting.ts';
import { SettingRefused } from '#app/settings/setting-refused.ts';
import type { Settings } from '#app/settings/settings.ts';
import { operator } from '#cli/arguments.ts';
import { withStore } from '#cli/own-store.ts';
import { type Config, parseConfig } from '#config/environment.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { followedSettings, openUnder } from '#wiring/settings.ts';

/** The settings as a command works with them. */
export interface OpenedForCommand {
  settings: Settings;
  clock: Clock;
  /** The environment alone. */
  environment: Config;
  actor: Actor;
}

/** A command writes its own words, and the log belongs to the proxies. */
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Runs work with the settings of the store that the environment names. Values that do not open are left out and said on
 * stderr, so that they can be replaced. A refusal is said there, too, and makes the exit code 1.
 */
export async function withSettings(work: (opened: OpenedForCommand) => Promise<void>): Promise<void> {
  const environment = parseConfig(process.env);
  return withStore(environment.DATABASE_URL.reveal(), async (store) => {
    const { version, settings } = await store.settings.read();
    const { stored, unopened } = openUnder(environment, settings);
    if (unopened.length > 0) console.error(unopenedOf(unopened));
    const first = { current: environment.over(stored), seen: version };
    const clock = Date.now;
    const parts = { config: environment, store: store.settings, first, clock, logger: silent };
    await work({ settings: followedSettings(parts), clock, environment, actor: operator() });
  }).catch((error: unknown) => {
    if (!(error instanceof SettingRefused)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
