import { readFileSync } from 'node:fs';
import { ConfigError } from '#config/environment.ts';
import { Secret } from '#ports/runtime/secret.ts';

/** The administrator's key, from a file or the environment; null if neither is given. Never quoted. */
export function readAdminKey(file: string | undefined, variable: string | undefined): Secret | null {
  let key = variable;
  if (file !== undefined) {
    try {
      key = readFileSync(file, 'utf8');
    } catch {
      throw new ConfigError('--admin-key-file: expected the path of a readable file.');
    }
  }
  if (key === undefined || key.trim() === '') return null;
  if (/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key.trim())) return new Secret(key.trim());
  const source = file === undefined ? 'DESKSIDE_ADMIN_KEY' : '--admin-key-file';
  throw new ConfigError(`${source}: expected an API key and secret in the form key:secret.`);
}
