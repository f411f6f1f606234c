import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '#config/environment.ts';
import { giveToOwner } from '#store/engine/folder-owner.ts';
import { makeFolders, whoMayWrite } from '#store/engine/folders.ts';

/**
 * Adds variables to a file of settings, which is made for its owner alone; what stands in it already stays as it is.
 *
 * @throws ConfigError if it cannot be written
 */
export function addToSettings(file: string, variables: Readonly<Record<string, string>>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  try {
    makeFolders(dirname(file));
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    appendFileSync(file, gap + lines.join(''), { mode: 0o600, flush: true });
    if (before === '') giveToOwner(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ConfigError(`${file} cannot be written (${code}).${whoMayWrite(file)}`);
  }
}

/** Says before anything is asked that a file of settings could not be written. Throws ConfigError. */
export function refuseUnwritable(file: string): void {
  const why = whoMayWrite(file);
  if (why !== '') throw new ConfigError(`${file} cannot be written.${why} Or name another file with --env-file.`);
}
