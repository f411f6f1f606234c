import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRecord, jsonOf } from '@deskside/shared/json';
import { installed } from '#commands/environment-file.ts';
import { ConfigError } from '#config.ts';
import { changeSettings } from '#settings-file.ts';
import { giveToOwner } from '#store/folder-owner.ts';
import { makeFolders, whoMayWrite } from '#store/folders.ts';
import { readTextFile } from '#text-file.ts';

/**
 * Sets variables in a file of settings, which is made if there is none. Everything else in it stays as it is, its owner and
 * mode as well.
 *
 * @throws ConfigError if it cannot be written
 */
export function writeSettings(file: string, values: Readonly<Record<string, string>>): void {
  change(file, (before) => changeSettings(before, values));
}

/** The same for the rules of a file of rules. */
export function writeRules(file: string, rules: Readonly<Record<string, unknown>>): void {
  change(file, (before) => {
    const found = before === '' ? {} : jsonOf(before);
    return `${JSON.stringify({ ...(isRecord(found) ? found : {}), ...rules }, null, 2)}\n`;
  });
}

/** Whether `writeSettings` and `writeRules` could write it. */
export function mayWrite(file: string): boolean {
  return whoMayWrite(file) === '';
}

/** Says before anything is asked that a file of settings could not be written. Throws ConfigError. */
export function refuseUnwritable(file: string): void {
  const why = whoMayWrite(file);
  if (why !== '') throw new ConfigError(`${file} cannot be written.${why} Or name another file with --env-file.`);
}

function change(file: string, edit: (before: string) => string): void {
  try {
    makeFolders(dirname(file));
    if (existsSync(file)) replace(realpathSync(file), edit(readTextFile(file)));
    else create(file, edit(''));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new ConfigError(`${file} cannot be written (${code}).${whoMayWrite(file)}`);
  }
}

/** For its owner alone; of an installed service for its account as well, which has to read it. */
function create(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600, flush: true, flag: 'wx' });
  const group = dirname(file) === dirname(installed.settings) && process.getuid?.() === 0 ? serviceGroup() : null;
  if (group === null) giveToOwner(file);
  else {
    chownSync(file, 0, group);
    chmodSync(file, 0o640);
  }
}

/** As a whole or not at all; in its place only where nobody may make another file, or of that owner. */
function replace(file: string, text: string): void {
  const { uid, gid, mode } = statSync(file);
  const other = join(dirname(file), `.${basename(file)}.${process.pid}`);
  try {
    writeFileSync(other, text, { mode: 0o600, flush: true, flag: 'wx' });
    chownSync(other, uid, gid);
    chmodSync(other, mode & 0o7777);
    renameSync(other, file);
  } catch (error) {
    rmSync(other, { force: true });
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    writeFileSync(file, text, { flush: true });
  }
}

/** The group of the service's account, which `ops/deskside.sysusers` makes; null if this machine has none. */
function serviceGroup(): number | null {
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('deskside:'));
  const number = Number(line?.split(':')[2]);
  return Number.isInteger(number) ? number : null;
}
