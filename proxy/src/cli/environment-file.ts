import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '#config/environment.ts';
import { notAllowed } from '#store/engine/folders.ts';

/** Where the settings of an installed service are, and where its data then is (ops/deskside.service). */
export const installed = { settings: '/etc/deskside/deskside.env', data: '/var/lib/deskside' };

/** The file that a command takes its settings from: the given one, that of the service, or `.env` here; null if there is none. */
export function environmentFile(given: string | undefined): string | null {
  if (given !== undefined) return resolve(given);
  return [installed.settings, resolve('.env')].find((file) => existsSync(file)) ?? null;
}

/**
 * Takes over what the file says, below what the environment says; and where the store is, if neither does: beside the file, or
 * where the service has it.
 *
 * @param how.environment is filled; what is set already is kept
 * @param how.mayMiss whether the file need not be there
 * @throws ConfigError for a file that is not there, or that this account may not read although nobody else has given its
 *   settings; as systemd does, which reads it before the service is an account of its own
 */
export function readEnvironmentFile(
  file: string,
  { environment = process.env, mayMiss = false }: { environment?: NodeJS.ProcessEnv; mayMiss?: boolean } = {},
): void {
  const isThere = existsSync(file);
  if (!isThere && !mayMiss) throw new ConfigError(`${file}: there is no such file. "deskside init" makes it.`);
  if (isThere && mayRead(file)) process.loadEnvFile(file);
  else if (isThere && !environment.HELPDESK_URL) throw new ConfigError(`${file} may not be read.${whoMayRead(file)}`);
  if (!environment.DATABASE_URL?.trim()) environment.DATABASE_URL = `file:${dataBeside(file)}`;
}

/** Where the store is that belongs to a file of settings, unless it says so itself. */
export function dataBeside(file: string): string {
  return file === installed.settings ? installed.data : resolve(dirname(file), 'data');
}

function mayRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function whoMayRead(file: string): string {
  const { uid } = statSync(file);
  if (uid === 0) return ' It belongs to root: run the command with sudo.';
  return notAllowed(process.getuid?.() ?? 0, uid, file);
}
