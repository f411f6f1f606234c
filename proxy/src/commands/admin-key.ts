import { readFileSync } from 'node:fs';
import { ConfigError } from '#config.ts';
import { Secret } from '#runtime/secret.ts';

/**
 * The administrator's key, from a file or the environment, never from an argument, which every user of the machine could
 * see; null if neither is given. Throws ConfigError, in which it is not quoted.
 */
export function readAdminKey(file: string | undefined, variable: string | undefined): Secret | null {
  const key = (file === undefined ? variable : contentOf('--admin-key-file', file))?.trim();
  if (!key) return null;
  if (/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key)) return new Secret(key);
  const source = file === undefined ? 'DESKSIDE_ADMIN_KEY' : '--admin-key-file';
  throw new ConfigError(`${source}: expected an API key and secret in the form key:secret.`);
}

/** The same, where nothing can be done without it. */
export function needAdminKey(file: string | undefined, variable: string | undefined): Secret {
  const key = readAdminKey(file, variable);
  if (key !== null) return key;
  throw new ConfigError("DESKSIDE_ADMIN_KEY or --admin-key-file: missing; expected a System Manager's key:secret.");
}

/** What a file holds that an option names. Throws ConfigError. */
export function contentOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${option}: expected the path of a readable file.`);
  }
}
