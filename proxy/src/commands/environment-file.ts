import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ConfigError, readSome, unusable } from '#config.ts';
import { parseSettings } from '#settings-file.ts';
import { notAllowed } from '#store/folders.ts';
import { readTextFile, UnreadableText } from '#text-file.ts';
import { Environment } from '#variables.ts';

/** Where the settings of an installed service are, and where its data then is (ops/deskside.service). */
export const installed = { settings: '/etc/deskside/deskside.env', data: '/var/lib/deskside' };

export type Variables = Record<string, string | undefined>;

/** The file that a command takes its settings from: the given one, that of the service, or `.env` here; null if there is none. */
export function environmentFile(given: string | undefined): string | null {
  if (given !== undefined) return resolve(given);
  return [installed.settings, resolve('.env')].find((file) => existsSync(file)) ?? null;
}

/**
 * What the file says, below what the environment says. Where neither says it: the store is beside the file, or where the
 * service has it, and the rules are `rules.json` beside the file, if that is there. A relative path in the file begins at
 * its folder, so that it leads every command to the same place.
 *
 * @param how.over the environment
 * @param how.mayMiss whether the file need not be there
 * @throws ConfigError for a file that is not there, that this account may not read, or in which something is wrong: then it
 *   names what is wrong with the values as well
 */
export function readVariables(
  file: string,
  { over = process.env, mayMiss = false }: { over?: Variables; mayMiss?: boolean } = {},
): Variables {
  const { values, problems } = parseSettings(textOf(file, mayMiss));
  const folder = dirname(file);
  const rules = values.RULES_FILE?.trim();
  const [, data] = /^file:(.+)$/.exec(values.DATABASE_URL?.trim() ?? '') ?? [];
  const variables: Variables = {
    ...values,
    ...(rules ? { RULES_FILE: resolve(folder, rules) } : rulesBeside(file)),
    ...(!values.DATABASE_URL?.trim() && { DATABASE_URL: `file:${dataBeside(file)}` }),
    ...(data && !isAbsolute(data) && { DATABASE_URL: `file:${resolve(folder, data)}` }),
  };
  for (const [name, value] of Object.entries(over)) if (value?.trim()) variables[name] = value;
  if (problems.length > 0) throw unusable([...problems, ...readSome(Environment, variables).problems], file);
  return variables;
}

/** Where the store is that belongs to a file of settings, unless it says so itself. */
export function dataBeside(file: string): string {
  return file === installed.settings ? installed.data : resolve(dirname(file), 'data');
}

/** Where the rules are that belong to a file of settings, unless it says so itself. */
export const rulesFileOf = (file: string) => join(dirname(file), 'rules.json');

function rulesBeside(file: string): Variables {
  const rules = rulesFileOf(file);
  return existsSync(rules) ? { RULES_FILE: rules } : {};
}

function textOf(file: string, mayMiss: boolean): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof UnreadableText) throw new ConfigError(`${file} cannot be used: ${error.message}.`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayMiss) return '';
    if (code === 'ENOENT') throw new ConfigError(`${file}: there is no such file. "deskside init" makes it.`);
    if (code === 'EACCES') throw new ConfigError(`${file} may not be read.${whoMayRead(file)}`);
    throw new ConfigError(`${file} cannot be read (${code ?? 'unknown'}).`);
  }
}

function whoMayRead(file: string): string {
  const { uid } = statSync(file);
  if (uid === 0) return ' It belongs to root: run the command with sudo.';
  return notAllowed(process.getuid?.() ?? 0, uid, file);
}
