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
import type { ClaimsMode } from '@deskside/shared/routing';
import { changeSettings, installed, readVariables, rulesFileOf, type Variables } from '#commands/settings.ts';
import { ConfigError, Environment, parseSome, readTextFile } from '#config.ts';
import { giveToOwner, makeFolders, whoMayWrite } from '#runtime/folders.ts';
import { isRecord, jsonOf } from '#runtime/json.ts';

/** Where the settings of a command come from: `file` below the environment, which `variables` have over it. */
export interface SettingsSource {
  file: string | null;
  variables: Variables;
}

/** What somebody has said of the rules; absent or null: nothing. */
export interface RulesGiven {
  /** By `--claims`. */
  claims?: ClaimsMode | null;
  /** As an answer to `init`. */
  platformHosts?: string[] | null;
}

/** What `provision` reads and keeps of our own settings and rules. */
export type OwnSettings = ReturnType<typeof ownSettings>;

const Needed = Environment.pick({ RULES_FILE: true, OAUTH_CLIENT_IDS: true });

/** Our own settings, which need not be complete. Throws ConfigError. */
export function ownSettings({ file, variables }: SettingsSource, { claims = null, platformHosts = null }: RulesGiven) {
  const { RULES_FILE, OAUTH_CLIENT_IDS } = parseSome(Needed, variables);
  const inFile = file === null ? {} : readVariables(file, { over: {}, mayMiss: true });
  const rules = variables.RULES_FILE?.trim() || (file && rulesFileOf(file));
  const idsSet = variables.OAUTH_CLIENT_IDS?.trim();
  const idsBy = idsSet === inFile.OAUTH_CLIENT_IDS?.trim() ? ('file' as const) : ('environment' as const);
  /** What was written where: names of settings and of rules, by file. */
  const written = new Map<string, string[]>();

  /** Returns what is left to the operator, where this account may not write there; or null. */
  function keepIn(place: string | null, names: string[], shown: string, write: (place: string) => void): string | null {
    if (!place) return `There is no file to keep it in. Set it yourself: ${shown}`;
    if (whoMayWrite(place) !== '') return `This account may not write ${place}. Put into it: ${shown}`;
    write(place);
    written.set(place, [...(written.get(place) ?? []), ...names]);
    return null;
  }

  return {
    written,
    /** `given`: now. `chosen`: what the file of rules says already; null if nothing. */
    claims: { given: claims, chosen: RULES_FILE.claims ?? null },
    platformHosts: { given: platformHosts, chosen: RULES_FILE.platform_hosts ?? null },
    /** The OAuth clients that hold already, by use; `environment`: it goes over the file; null: nothing says it. */
    clientIds: { ids: OAUTH_CLIENT_IDS, by: idsSet ? idsBy : null },
    /** Those of these settings that the file has. */
    inFile: (names: readonly string[]) => names.filter((name) => inFile[name]?.trim()),
    /** Writes settings into their file; null takes one out. Throws ConfigError. */
    keep(values: Readonly<Record<string, string | null>>): string | null {
      const shown = Object.entries(values).map(([name, value]) =>
        value === null ? `(no ${name})` : `${name}=${value}`,
      );
      return keepIn(file, Object.keys(values), shown.join(', '), (place) => writeSettings(place, values));
    },
    /** Writes rules into their file. Throws ConfigError. */
    keepRules(values: Readonly<Record<string, unknown>>): string | null {
      const shown = Object.entries(values).map(([name, rule]) => `"${name}": ${JSON.stringify(rule)}`);
      return keepIn(rules, Object.keys(values), shown.join(', '), (place) => writeRules(place, values));
    },
  };
}

/**
 * Sets variables in a file of settings, which is made if there is none; null takes one out. Everything else in it stays as it
 * is, its owner and mode as well.
 *
 * @throws ConfigError if it cannot be written
 */
export function writeSettings(file: string, values: Readonly<Record<string, string | null>>): void {
  change(file, (before) => changeSettings(before, values));
}

/** The same for the rules of a file of rules. */
export function writeRules(file: string, rules: Readonly<Record<string, unknown>>): void {
  change(file, (before) => {
    const found = before === '' ? {} : jsonOf(before);
    return `${JSON.stringify({ ...(isRecord(found) ? found : {}), ...rules }, null, 2)}\n`;
  });
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
