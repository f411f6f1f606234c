import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { invisible } from '@deskside/shared/text';
import * as z from 'zod';
import { jsonOf } from '#runtime/json.ts';
import { secretsIn, webhookProblem } from './crm/rest.ts';
import { parseRules, Rules } from './rules.ts';
import { logLevels } from './runtime/log.ts';
import { Secret } from './runtime/secret.ts';

export const loopback = ['127.0.0.0/8', '::1'];

const secret = z.string().transform((value) => new Secret(value));

/** One or two secrets with a comma between: two while one is being replaced by the other. */
function oneOrTwo(each: z.ZodString, what = 'secret') {
  return z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(each).max(2, `one ${what}, or while it is being replaced the other one after a comma`))
    .transform((values) => values.map((value) => new Secret(value)));
}

/** Both are accepted. */
const rotating = oneOrTwo(z.string().min(16, 'at least 16 characters'));

/** Of the service account, in whatever length the helpdesk made it. The second is used where the first is refused. */
const serviceSecret = oneOrTwo(z.string().min(1, 'expected a secret'));

const flag = z
  .string()
  .toLowerCase()
  .pipe(
    z.enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'expected 1 or 0 (also true/false, yes/no, on/off)'),
  )
  .transform((word) => ['1', 'true', 'yes', 'on'].includes(word));

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `expected a whole number from ${min} to ${max}`)
        .max(max, `expected a whole number from ${min} to ${max}`),
    );

const origin = z
  .string()
  .refine(isOrigin, 'expected an address without a path, such as https://help.example.com')
  .transform((value) => new URL(value).origin);

/** Likewise one or two webhooks of one portal. The second is used where the first is refused. */
const webhooks = oneOrTwo(
  z.string().superRefine((value, ctx) => {
    const problem = webhookProblem(value);
    if (problem !== null) ctx.addIssue(problem);
  }),
  'webhook',
).refine(
  (values) => new Set(values.map((value) => URL.parse(value.reveal())?.origin)).size === 1,
  'expected two webhooks of one portal',
);

const trustedProxies = z.string().transform((value, ctx) => {
  const ranges = parseTrustedProxies(value);
  if (ranges === null)
    ctx.addIssue('expected addresses or ranges such as 10.0.0.0/8, with commas between; loopback; or none');
  return ranges ?? z.NEVER;
});

const oauthClientIds = z
  .string()
  .transform((value, ctx) => parseJson(value, ctx))
  .pipe(
    z.partialRecord(z.enum(['chrome', 'edge', 'firefox']), z.string(), {
      error: 'expected JSON such as {"chrome":"…","edge":"…","firefox":"…"}',
    }),
  );

/** The rules that a file gives, checked, but without the defaults of those that it leaves out. */
const rulesFile = z.string().transform((path, ctx) => {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    ctx.addIssue(error instanceof UnreadableText ? error.message : 'expected the path of a readable JSON file');
    return z.NEVER;
  }
  const { value: rules, problems } = parseRules(text);
  for (const problem of problems) ctx.addIssue(problem);
  return problems.length === 0 ? (rules as z.input<typeof Rules>) : z.NEVER;
});

/**
 * The settings of the proxy (docs/operate.md#variables), from the file of settings and the environment over it. Those that
 * are only needed later are checked too, so that a wrong one shows at the start and not at its first use.
 */
export const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(8787),
  TRUSTED_PROXIES: trustedProxies.default(loopback),
  PUBLIC_URL: origin.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.+|postgres(ql)?:\/\/.+)$/, 'expected file:<folder> or postgres://…')
    .default('file:./data')
    .transform((value) => new Secret(value)),
  HELPDESK_URL: origin,
  HELPDESK_API_KEY: secret,
  HELPDESK_API_SECRET: serviceSecret,
  HELPDESK_WEBHOOK_SECRET: rotating.optional(),
  HELPDESK_SCRIPT_SECRET: rotating.optional(),
  CRM_ENABLED: flag.default(true),
  CRM_WEBHOOK_URL: webhooks.optional(),
  CRM_RESPONSIBLE_WEBHOOK_URL: webhooks.optional(),
  CRM_PORTAL_URL: origin.optional(),
  CRM_TIMEOUT_SECONDS: whole(1, 55).default(15),
  CRM_REFRESH_TTL_MINUTES: whole(0, 10_080).default(60),
  CRM_EVENT_TOKEN: rotating.optional(),
  CRM_PLAN: z.enum(['standard', 'enterprise'], 'expected standard or enterprise').default('standard'),
  RETENTION_DAYS: whole(30, 36_500).default(400),
  OAUTH_CLIENT_IDS: oauthClientIds.default({}),
  RULES_FILE: rulesFile.default({}),
  ALLOW_INSECURE_UPSTREAMS: flag.default(false),
  LOG_LEVEL: z.enum(logLevels, `expected one of ${logLevels.join(', ')}`).default('info'),
  METRICS_TOKEN: rotating.optional(),
});

export const settingNames: readonly string[] = Object.keys(Environment.shape);

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
  );
}

function parseJson(text: string, ctx: z.RefinementCtx): unknown {
  const value = jsonOf(text);
  if (value === undefined) ctx.addIssue('expected JSON');
  return value;
}

/** One or more addresses or ranges (`10.0.0.0/8`), comma-separated, or `loopback` or `none`. Null for anything else. */
export function parseTrustedProxies(text: string): string[] | null {
  const parts = text.split(',').map((part) => part.trim());
  if (text.trim() === 'none') return [];
  const ranges = parts.flatMap((part) => (part === 'loopback' ? loopback : [part]));
  return ranges.every(isRange) ? ranges : null;
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  return most > 0 && isWhole && rest.length === 0;
}

/** Why a file cannot be read as text, in a few words. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText';
}

/** The text of a file in UTF-8, with or without a byte order mark. Throws UnreadableText, or what `readFileSync` throws. */
export function readTextFile(path: string): string {
  return decodeText(readFileSync(path));
}

/** Throws UnreadableText. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || bytes.subarray(0, 64).includes(0)) throw new UnreadableText('it is UTF-16; save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableText('it is not UTF-8; save it as UTF-8');
  }
}

type SettingValues = z.output<typeof Environment>;

/** The settings and the rules. */
export interface Config extends Omit<SettingValues, 'RULES_FILE'> {
  rules: Rules;
  /** Where selectors for a changed page of the helpdesk may stand, beside the rules; null without a file of rules. */
  anchorsFile: string | null;
}

/** The settings cannot be used; the message names each, what was found and what is expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Parses all settings; see `parseSome`. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const { RULES_FILE, ...values } = parseSome(Environment, environment);
  const rulesFile = environment.RULES_FILE?.trim();
  const anchorsFile = rulesFile ? join(dirname(rulesFile), 'anchors.json') : null;
  return { ...values, rules: Rules.parse(RULES_FILE), anchorsFile };
}

/** An empty variable counts as unset. */
function given(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value] as const] : [])),
  );
}

/**
 * Parses the variables in the schema. An empty variable counts as unset. Throws ConfigError for all wrong or missing
 * values at once; a secret's value is never quoted.
 */
export function parseSome<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Record<string, string | undefined>,
): z.output<z.ZodObject<Shape>> {
  const { data, problems } = readSome(schema, environment);
  if (data !== undefined && problems.length === 0) return data;
  throw unusable(problems);
}

/** One error for everything that is wrong with the settings. */
export function unusable(problems: readonly string[], where = 'The configuration'): ConfigError {
  const lines = problems.map((line) => `  ${line}`);
  return new ConfigError(
    `${where} cannot be used:\n${lines.join('\n')}\nEvery setting is explained in docs/operate.md.`,
  );
}

/** The same for who has more to say of it: each problem a line that names its variable. */
export function readSome<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Record<string, string | undefined>,
): { data: z.output<z.ZodObject<Shape>> | undefined; problems: string[] } {
  const values = given(environment);
  const parsed = schema.safeParse(values);
  const pasted = Object.keys(schema.shape).flatMap((variable) => {
    const unseen = unseenIn(values[variable] ?? '');
    return unseen === null ? [] : [[variable, unseen] as const];
  });
  const problems = (parsed.error?.issues ?? []).flatMap(({ path, message, code }) => {
    const variable = String(path[0]);
    const value = values[variable];
    if (pasted.some(([name]) => name === variable)) return [];
    return `${variable}: ${value === undefined ? 'missing' : `found ${found(variable, value)}`}; ${code === 'invalid_type' ? expectation(variable) : message}`;
  });
  problems.push(...pasted.map(([variable, unseen]) => `${variable}: ${unseen}`));
  for (const variable of ['HELPDESK_URL', 'CRM_WEBHOOK_URL', 'CRM_RESPONSIBLE_WEBHOOK_URL']) {
    const insecure =
      variable in schema.shape &&
      values[variable]?.split(',').some((part) => part.trim().startsWith('http:')) &&
      !/^(1|true|yes|on)$/i.test(values.ALLOW_INSECURE_UPSTREAMS ?? '');
    if (insecure) problems.push(`${variable}: ${httpRefused(variable)}`);
  }
  return { data: parsed.data, problems };
}

/** What a value that was pasted has in it and nobody sees, and where; null if nothing. Never quotes the value. */
export function unseenIn(value: string): string | null {
  const signs = [...value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')];
  const at = signs.findIndex((sign) => /(?![ \t\r\n])[\s\p{Cc}]/u.test(sign) || sign.replace(invisible, '') === '');
  const code = signs[at]?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return code === undefined
    ? null
    : `its sign ${at + 1} of ${signs.length} cannot be seen (U+${code}); type it anew without it`;
}

/** All secrets of a configuration in the clear, for the redactor. */
export function secretsOf(config: Config): string[] {
  const all = Object.values(config)
    .flat()
    .filter((value) => value instanceof Secret)
    .map((value) => value.reveal());
  const inAddresses = [config.CRM_WEBHOOK_URL, config.CRM_RESPONSIBLE_WEBHOOK_URL].flatMap((addresses) =>
    (addresses ?? []).flatMap((address) => secretsIn(address.reveal())),
  );
  return [...all.filter((value) => !value.startsWith('file:')), ...inAddresses];
}

/** Why an http address is refused, and what trials can do. */
export function httpRefused(variable: string): string {
  const loopback = '; the extension refuses it all the same, except on loopback';
  const isBrowsers = variable === 'HELPDESK_URL' || variable === 'PUBLIC_URL';
  return `found an http address; expected https (for trials ALLOW_INSECURE_UPSTREAMS=1 allows http${isBrowsers ? loopback : ''})`;
}

const quotable = new Set([
  'HOST',
  'PORT',
  'TRUSTED_PROXIES',
  'PUBLIC_URL',
  'HELPDESK_URL',
  'CRM_ENABLED',
  'CRM_PORTAL_URL',
  'CRM_TIMEOUT_SECONDS',
  'CRM_REFRESH_TTL_MINUTES',
  'CRM_PLAN',
  'RETENTION_DAYS',
  'RULES_FILE',
  'ALLOW_INSECURE_UPSTREAMS',
  'LOG_LEVEL',
]);

function found(variable: string, value: string): string {
  if (!quotable.has(variable) || value.includes('@')) return `a value of ${value.length} characters`;
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

function expectation(variable: string): string {
  if (variable === 'HELPDESK_URL') return 'expected the address of the helpdesk, such as https://help.example.com';
  if (variable === 'PUBLIC_URL')
    return 'expected the address at which the helpdesk reaches the proxy, such as https://deskside.example.com';
  if (variable.startsWith('HELPDESK_API_'))
    return `expected the API ${variable.endsWith('KEY') ? 'key' : 'secret'} of the service account`;
  return 'expected a value';
}

/** What is made once for these and lasts as long as the process: sockets, the store, the connections to the helpdesk, the log. */
const needsRestart = [
  'HOST',
  'PORT',
  'TRUSTED_PROXIES',
  'DATABASE_URL',
  'HELPDESK_URL',
  'HELPDESK_API_KEY',
  'HELPDESK_API_SECRET',
  'ALLOW_INSECURE_UPSTREAMS',
  'LOG_LEVEL',
] as const satisfies (keyof Config)[];

/**
 * What can be in force of other settings while the process goes on.
 *
 * @returns `inForce`: `wanted`, but for what needs a restart; `needRestart`: the names of what of that has changed
 */
export function changedInForce(before: Config, wanted: Config): { inForce: Config; needRestart: string[] } {
  const kept = Object.fromEntries(needsRestart.map((name) => [name, before[name]])) as Pick<
    Config,
    (typeof needsRestart)[number]
  >;
  return {
    inForce: { ...wanted, ...kept },
    needRestart: needsRestart.filter((name) => textOf(before[name]) !== textOf(wanted[name])),
  };
}

function textOf(value: unknown): string {
  const texts = [value].flat().map((one) => (one instanceof Secret ? one.reveal() : one));
  return JSON.stringify(texts);
}
