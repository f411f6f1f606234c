import { existsSync } from 'node:fs';
import { readStoredSettings } from '#adapters/store-sql/store.ts';
import { type Config, parseConfig } from '#config/environment.ts';
import { readSettings } from '#wiring/settings/settings.ts';

/**
 * The settings as a proxy with this environment, and `.env` beside it, would have them in force: the environment over
 * the store. Changes nothing in the store; one that does not exist yet is empty.
 *
 * @throws ConfigError, and StoreError if there is a store that cannot be read
 */
export async function loadConfig(environment: Record<string, string | undefined> = fromProcess()): Promise<Config> {
  const config = parseConfig(environment);
  const settings = await readStoredSettings(config.DATABASE_URL.reveal());
  return (await readSettings(config, { read: async () => settings })).current;
}

function fromProcess(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
