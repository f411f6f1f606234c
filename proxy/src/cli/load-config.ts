import { sealerOf } from '#adapters/sealing/aes-gcm.ts';
import { unopenedOf } from '#app/settings/change-setting.ts';
import { openStored } from '#app/settings/open-stored.ts';
import { type Config, ConfigError, parseConfig, parseSome } from '#config/environment.ts';
import { Environment } from '#config/variables.ts';
import { readStoredSettings } from '#store/store.ts';
import { readSettings } from '#wiring/settings.ts';

/**
 * The settings as a proxy with this environment would have them in force: the environment over
 * the store. Changes nothing in the store; one that does not exist yet is empty.
 *
 * @throws ConfigError, and StoreError if there is a store that cannot be read
 */
export async function loadConfig(environment: Record<string, string | undefined> = process.env): Promise<Config> {
  const config = parseConfig(environment);
  const settings = await readStoredSettings(config.DATABASE_URL.reveal());
  return (await readSettings(config, { read: async () => settings })).current;
}

/**
 * An environment that need not be complete, over the secrets of the store that it names; for a command that needs less
 * than a proxy does.
 *
 * @throws ConfigError, and StoreError
 */
export async function overStoredSecrets(
  environment: Record<string, string | undefined>,
): Promise<Record<string, string | undefined>> {
  const needed = Environment.pick({ DATABASE_URL: true, MASTER_KEY: true, MASTER_KEY_FILE: true });
  const { DATABASE_URL, ...keys } = parseSome(needed, environment);
  const { settings } = await readStoredSettings(DATABASE_URL.reveal());
  const secrets = settings.filter(({ name, isSealed }) => isSealed && !environment[name]?.trim());
  const { stored, unopened } = openStored(secrets, sealerOf(keys));
  if (unopened.length > 0) throw new ConfigError(unopenedOf(unopened));
  return { ...environment, ...stored };
}
