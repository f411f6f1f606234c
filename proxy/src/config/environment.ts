import type { SettingSource } from '@deskside/shared/settings';
import type * as z from 'zod';
import { Secret } from '#ports/runtime/secret.ts';
import { crmAdapter } from './crm-adapter.ts';
import { Rules } from './rules.ts';
import { Environment } from './variables.ts';

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
  const { data, problems } = readSome(schema, environment);
  if (data !== undefined && problems.length === 0) return data;
  throw new ConfigError(
    `The configuration cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}\nEvery variable is explained in docs/settings.md.`,
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
  if ('MASTER_KEY' in schema.shape && values.MASTER_KEY !== undefined && values.MASTER_KEY_FILE !== undefined)
    problems.push('MASTER_KEY: MASTER_KEY_FILE is set as well; expected one of the two');
  return { data: parsed.data, problems };
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
  return [...all.filter((value) => !value.startsWith('file:')), ...inAddresses];
}

/** Whether the CRM at this origin has to be public: it stands in the store and not in the environment. */
export function mustBePublic(config: Config, origin: string): boolean {
  const inEnvironment = (['CRM_WEBHOOK_URL', 'CRM_RESPONSIBLE_WEBHOOK_URL'] as const).filter(
    (name) => config.sourceOf(name) === 'environment',
  );
  const addresses = inEnvironment.flatMap((name) => config[name] ?? []);
  return !addresses.some((address) => new URL(address.reveal()).origin === origin);
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
