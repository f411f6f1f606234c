import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import {
  ConfigError,
  Environment,
  parseSome,
  readSome,
  readTextFile,
  settingNames,
  UnreadableText,
  unseenIn,
  unusable,
} from '#config.ts';
import { notReadable } from '#runtime/folders.ts';
import { Secret } from '#runtime/secret.ts';

/** Where the settings of an installed service are, and where its data then is (ops/deskside.service). */
export const installed = { settings: '/etc/deskside/deskside.env', data: '/var/lib/deskside' };

export type Variables = Record<string, string | undefined>;

/** The file that a command takes its settings from: the given one, that of the service, or `.env` here; null if there is none. */
export function environmentFile(named: string | undefined): string | null {
  if (named !== undefined) return resolve(named);
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
    if (code === 'EACCES')
      throw new ConfigError(
        `${file} may not be read.${notReadable(process.getuid?.() ?? 0, statSync(file).uid, file)}`,
      );
    throw new ConfigError(`${file} cannot be read (${code ?? 'unknown'}).`);
  }
}

/**
 * The administrator's key, from a file or the environment, never from an argument, which every user of the machine could
 * see; null if neither is given. Throws ConfigError, in which it is not quoted.
 */
export function readAdminKey(file: string | undefined, variable: string | undefined): Secret | null {
  const key = (file === undefined ? variable : contentOf('--admin-key-file', file))?.trim();
  if (!key) return null;
  if (/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key)) return new Secret(key);
  const source = file === undefined ? 'DESKSIDE_ADMIN_KEY' : '--admin-key-file';
  const wanted = unseenIn(key) ?? 'expected an API key and secret in the form key:secret';
  throw new ConfigError(`${source}: ${wanted}.`);
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

/** Where the store is, as the environment says. Throws ConfigError. */
export function databaseUrl(environment: Record<string, string | undefined> = process.env): string {
  return parseSome(Environment.pick({ DATABASE_URL: true }), environment).DATABASE_URL.reveal();
}

/** What a text of settings says, and what is wrong with it: each problem a sentence that quotes no value. */
export interface SettingsText {
  values: Record<string, string>;
  problems: string[];
}

/** Of the connections to helpdesk and CRM, under the names that every program knows (net/egress.ts). */
const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
const known: ReadonlySet<string> = new Set([...settingNames, ...proxyNames]);

const assignment = /^(\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*)(.*)$/;

/**
 * Reads `NAME=value`, a line each (docs/operate.md#the-files). A `#` at the beginning of a line or after a blank begins a
 * comment. A value in quotes may hold anything; in double ones `\"` and `\\` stand for `"` and `\`.
 */
export function parseSettings(text: string): SettingsText {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const lines = new Map<string, number>();
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const number = index + 1;
    if (/^\s*(#|$)/.test(line)) continue;
    const [, , name, rest] = assignment.exec(line) ?? [];
    if (name === undefined || rest === undefined) {
      problems.push(`line ${number}: expected NAME=value, or # before a comment`);
      continue;
    }
    const earlier = lines.get(name);
    lines.set(name, number);
    const value = readValue(rest);
    if (earlier !== undefined) problems.push(`${name}: stands twice, in lines ${earlier} and ${number}`);
    else if (!known.has(name)) problems.push(unknown(name, number));
    else if (value === null) problems.push(`${name}: in line ${number} a quote has no end, or something follows it`);
    else values[name] = value.text;
  }
  return { values, problems };
}

/** `comment`: with the blanks before it. Null for a quote without end, and for what follows one. */
function readValue(rest: string): { text: string; comment: string } | null {
  const form = rest.startsWith("'")
    ? /^'([^']*)'(\s+#.*|\s*)$/
    : rest.startsWith('"')
      ? /^"((?:[^"\\]|\\.)*)"(\s+#.*|\s*)$/
      : /^((?!#).*?)(\s+#.*|\s*)$|^()(#.*)$/;
  const found = form.exec(rest);
  if (found === null) return null;
  const text = found[1] ?? '';
  const comment = (found[2] ?? found[4] ?? '').trimEnd();
  return { text: rest.startsWith('"') ? text.replaceAll(/\\(["\\])/g, '$1') : text, comment };
}

function unknown(name: string, line: number): string {
  if (name === 'DESKSIDE_ADMIN_KEY')
    return `${name}: is kept in no file of settings: use --admin-key-file, or the environment of the command (line ${line})`;
  if (name === 'METRICS_PORT')
    return `${name}: is no setting any more: take line ${line} out, and have Prometheus read /metrics with METRICS_TOKEN`;
  const longer = settingNames.find((one) => one.startsWith(`${name}_`));
  const near = longer ?? settingNames.toSorted((a, b) => distance(a, name) - distance(b, name))[0] ?? '';
  const isNear = longer !== undefined || distance(near, name) <= Math.max(2, near.length / 4);
  const hint = isNear ? `did you mean ${near}?` : 'variables of other programs belong in the environment';
  return `${name}: is no setting; ${hint} (line ${line})`;
}

/** Edits that make one word of the other, whatever the case. */
function distance(a: string, b: string): number {
  const word = b.toLowerCase();
  let row = Array.from({ length: word.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a.toLowerCase()].entries()) {
    const next = [i + 1];
    for (let j = 0; j < word.length; j += 1)
      next.push(Math.min((row[j] ?? 0) + (word[j] === letter ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * The text with these values, each in the place of the one before or at the end; null takes the line out. Other lines,
 * comments and the order stay as they are.
 *
 * @param values without line breaks
 */
export function changeSettings(text: string, values: Readonly<Record<string, string | null>>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const left = new Map(Object.entries(values));
  const changed = text
    .split(/(?<=\n)/)
    .flatMap((line) => {
      const [, before = '', name = '', rest = ''] = assignment.exec(line.trimEnd()) ?? [];
      const value = left.get(name);
      if (value === undefined) return [line];
      left.delete(name);
      if (value === null) return [];
      return [`${before}${writeValue(value)}${readValue(rest)?.comment ?? ''}${/\r?\n$/.exec(line)?.[0] ?? ''}`];
    })
    .join('');
  const added = [...left].flatMap(([name, value]) => (value === null ? [] : [`${name}=${writeValue(value)}${end}`]));
  const gap = added.length === 0 || changed === '' || changed.endsWith('\n') ? '' : end;
  return changed + gap + added.join('');
}

/** As `readValue` reads it back. */
function writeValue(value: string): string {
  const isPlain = value === value.trim() && !/^['"#]|\s#/.test(value);
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
