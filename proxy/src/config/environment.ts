import { readFileSync } from 'node:fs';
import type { SettingSource } from '@deskside/shared/operator/settings';
import * as z from 'zod';
import { logLevels } from '#adapters/log-pino/logger.ts';
import { crmAdapter } from './crm-adapter.ts';
import { Rules } from './rules.ts';
import { Secret } from './secret.ts';
import { loopback, parseTrustedProxies } from './trusted-proxies.ts';

/**
 * The environment of the proxy (docs/settings.md#variables), parsed once. Variables that are only needed later are
 * checked too, so that a wrong one shows at the start and not at its first use.
 */

const secret = z.string().transform((value) => new Secret(value));

/** One or two secrets with a comma between: two while one is being replaced by the other. Both are accepted. */
const rotating = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(
    z
      .array(z.string().min(16, 'at least 16 characters'))
      .max(2, 'one secret, or while it is being replaced the other one after a comma'),
  )
  .transform((values) => values.map((value) => new Secret(value)));

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
const webhooks = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(
    z
      .array(
        z.string().superRefine((value, ctx) => {
          const problem = crmAdapter.addressProblem(value);
          if (problem !== null) ctx.addIssue(problem);
        }),
      )
      .max(2, 'one webhook, or while it is being replaced the other one after a comma'),
  )
  .refine(
    (values) => new Set(values.map((value) => URL.parse(value)?.origin)).size === 1,
    'expected two webhooks of one portal',
  )
  .transform((values) => values.map((value) => new Secret(value)));

/** Where alerts are posted: path and query are the receiver's secret. */
const alertWebhook = z
  .string()
  .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? '') && !URL.parse(value)?.username, {
    error: 'expected an https address, such as https://hooks.slack.com/services/…',
  })
  .transform((value) => new Secret(value));

const trustedProxies = z.string().transform((value, ctx) => {
  const ranges = parseTrustedProxies(value);
  if (ranges === null)
    ctx.addIssue('expected addresses or ranges such as 10.0.0.0/8, with commas between; loopback; or none');
  return ranges ?? z.NEVER;
});

const masterKey = z
  .string()
  .refine(
    (value) => value.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === 32),
    'expected 32 bytes in base64, optionally the previous key after a comma',
  )
  .transform((value) => value.split(',').map((key) => new Secret(key.trim())));

const masterKeyFile = z
  .string()
  .transform((path, ctx) => {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      ctx.addIssue('expected the path of a readable file');
      return z.NEVER;
    }
  })
  .pipe(masterKey);

const oauthClientIds = z
  .string()
  .transform((value, ctx) => parseJson(value, ctx))
  .pipe(
    z.partialRecord(z.enum(['chrome', 'edge', 'firefox', 'operator']), z.string(), {
      error: 'expected JSON such as {"chrome":"…","edge":"…","firefox":"…","operator":"…"}',
    }),
  );

/** The rules that a file gives, checked, but without the defaults of those that it leaves out. */
const rulesFile = z.string().transform((path, ctx) => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    ctx.addIssue('expected the path of a readable JSON file');
    return z.NEVER;
  }
  const given = parseJson(text, ctx);
  const parsed = Rules.safeParse(given);
  if (parsed.success) return given as z.input<typeof Rules>;
  for (const issue of parsed.error.issues) ctx.addIssue(`${issue.path.join('.') || 'the file'}: ${issue.message}`);
  return z.NEVER;
});

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
  HELPDESK_API_SECRET: secret,
  HELPDESK_WEBHOOK_SECRET: rotating.optional(),
  HELPDESK_SCRIPT_SECRET: rotating.optional(),
  MASTER_KEY_FILE: masterKeyFile.optional(),
  MASTER_KEY: masterKey.optional(),
  CRM_ENABLED: flag.default(true),
  CRM_WEBHOOK_URL: webhooks.optional(),
  CRM_RESPONSIBLE_WEBHOOK_URL: webhooks.optional(),
  CRM_PORTAL_URL: origin.optional(),
  CRM_TIMEOUT_SECONDS: whole(1, 55).default(15),
  CRM_REFRESH_TTL_MINUTES: whole(0, 10_080).default(60),
  CRM_EVENT_TOKEN: rotating.optional(),
  CRM_PLAN: z.enum(['standard', 'enterprise'], 'expected standard or enterprise').default('standard'),
  RETENTION_DAYS: whole(30, 36_500).default(400),
  BACKFILL_HOUR: whole(0, 23).optional(),
  BACKFILL_STALE_DAYS: whole(0, 3_650).default(7),
  OAUTH_CLIENT_IDS: oauthClientIds.default({}),
  RULES_FILE: rulesFile.default({}),
  ALLOW_INSECURE_UPSTREAMS: flag.default(false),
  LOG_LEVEL: z.enum(logLevels, `expected one of ${logLevels.join(', ')}`).default('info'),
  ALERT_WEBHOOK_URL: alertWebhook.optional(),
  METRICS_TOKEN: z.string().min(16, 'expected at least 16 characters').pipe(secret).optional(),
  METRICS_PORT: whole(0, 65_535).optional(),
  OPERATOR_UI: flag.default(false),
});

type Variables = z.output<typeof Environment>;

/** The environment, and below it what the store holds of the settings that can change at run time. */
export interface Config extends Omit<Variables, 'RULES_FILE'> {
  rules: Rules;
  /** `name`: of a variable, or of a rule. */
  sourceOf(name: string): SettingSource;
  /**
   * This environment over other values of the store, which replace those before.
   *
   * @param stored by name: a variable in the environment's own form, a rule as JSON
   * @throws ConfigError
   */
  over(stored: Readonly<Record<string, string>>): Config;
}

/** The start is refused, with one message that names each variable, what was found and what is expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Parses the whole environment; see `parseSome`. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  return configure(given(environment), parseSome(Environment, environment).RULES_FILE, {});
}

/** @param inFile the rules that a file gives; they count as the environment's */
function configure(
  variables: Record<string, string>,
  inFile: z.input<typeof Rules>,
  stored: Readonly<Record<string, string>>,
): Config {
  const { RULES_FILE: _, ...values } = parseSome(Environment, { ...stored, ...variables, RULES_FILE: undefined });
  return {
    ...values,
    rules: rulesOf(stored, inFile),
    sourceOf: (name) => (name in variables || name in inFile ? 'environment' : name in stored ? 'store' : 'default'),
    over: (others) => configure(variables, inFile, others),
  };
}

function rulesOf(stored: Readonly<Record<string, string>>, inFile: z.input<typeof Rules>): Rules {
  const json = Object.entries(stored).filter(([name]) => name in Rules.shape);
  const parsed = Rules.safeParse({
    ...Object.fromEntries(json.map(([name, text]) => [name, JSON.parse(text) as unknown])),
    ...inFile,
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new ConfigError(`The rules in the store cannot be used:\n${problems.join('\n')}`);
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
  const values = given(environment);
  const parsed = schema.safeParse(values);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message, code }) => {
        const variable = String(path[0]);
        const value = values[variable];
        return `  ${variable}: ${value === undefined ? 'missing' : `found ${found(variable, value)}`}; ${code === 'invalid_type' ? expectation(variable) : message}`;
      });
  for (const variable of ['HELPDESK_URL', 'CRM_WEBHOOK_URL', 'CRM_RESPONSIBLE_WEBHOOK_URL', 'ALERT_WEBHOOK_URL']) {
    const insecure =
      variable in schema.shape &&
      values[variable]?.split(',').some((part) => part.trim().startsWith('http:')) &&
      !/^(1|true|yes|on)$/i.test(values.ALLOW_INSECURE_UPSTREAMS ?? '');
    if (insecure)
      problems.push(
        `  ${variable}: found an http address; expected https (ALLOW_INSECURE_UPSTREAMS=1 allows http for demo and tests only)`,
      );
  }
  if ('MASTER_KEY' in schema.shape && values.MASTER_KEY !== undefined && values.MASTER_KEY_FILE !== undefined)
    problems.push('  MASTER_KEY: MASTER_KEY_FILE is set as well; expected one of the two');
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(
      `The configuration cannot be used:\n${problems.join('\n')}\nEvery variable is explained in docs/settings.md.`,
    );
  }
  return parsed.data;
}

/** All secrets of a configuration in the clear, for the redactor. */
export function secretsOf(config: Config): string[] {
  const all = Object.values(config)
    .flat()
    .filter((value) => value instanceof Secret)
    .map((value) => value.reveal());
  const inAddresses = [config.CRM_WEBHOOK_URL, config.CRM_RESPONSIBLE_WEBHOOK_URL].flatMap((addresses) =>
    (addresses ?? []).flatMap((address) => crmAdapter.secretsIn(address.reveal())),
  );
  const alerts = config.ALERT_WEBHOOK_URL && new URL(config.ALERT_WEBHOOK_URL.reveal());
  const inAlerts = alerts ? [alerts.pathname + alerts.search, alerts.search].filter((part) => part.length > 1) : [];
  return [...all.filter((value) => !value.startsWith('file:')), ...inAddresses, ...inAlerts];
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
  'BACKFILL_HOUR',
  'BACKFILL_STALE_DAYS',
  'RULES_FILE',
  'ALLOW_INSECURE_UPSTREAMS',
  'LOG_LEVEL',
  'METRICS_PORT',
  'OPERATOR_UI',
]);

function found(variable: string, value: string): string {
  if (!quotable.has(variable) || value.includes('@')) return `a value of ${value.length} characters`;
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

function expectation(variable: string): string {
  if (variable === 'HELPDESK_URL') return 'expected the address of the helpdesk, such as https://help.example.com';
  if (variable.startsWith('HELPDESK_API_'))
    return `expected the API ${variable.endsWith('KEY') ? 'key' : 'secret'} of the service account`;
  return 'expected a value';
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
  );
}

function parseJson(text: string, ctx: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    ctx.addIssue('expected JSON');
    return z.NEVER;
  }
}
