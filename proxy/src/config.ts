import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { secretsIn } from './crm/webhook.ts';
import { Rules } from './rules.ts';
import { Secret } from './runtime/secret.ts';
import { Environment } from './variables.ts';

type Variables = z.output<typeof Environment>;

/** The settings and the rules. */
export interface Config extends Omit<Variables, 'RULES_FILE'> {
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
  const problems = (parsed.error?.issues ?? []).map(({ path, message, code }) => {
    const variable = String(path[0]);
    const value = values[variable];
    return `${variable}: ${value === undefined ? 'missing' : `found ${found(variable, value)}`}; ${code === 'invalid_type' ? expectation(variable) : message}`;
  });
  for (const variable of ['HELPDESK_URL', 'CRM_WEBHOOK_URL', 'CRM_RESPONSIBLE_WEBHOOK_URL']) {
    const insecure =
      variable in schema.shape &&
      values[variable]?.split(',').some((part) => part.trim().startsWith('http:')) &&
      !/^(1|true|yes|on)$/i.test(values.ALLOW_INSECURE_UPSTREAMS ?? '');
    if (insecure) problems.push(`${variable}: ${httpRefused(variable)}`);
  }
  return { data: parsed.data, problems };
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
  'METRICS_PORT',
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
