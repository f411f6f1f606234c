import { readFileSync } from 'node:fs';
import type { ClaimsMode } from '@deskside/shared/routing';
import * as z from 'zod';
import { ConfigError, httpRefused } from '#config/environment.ts';
import { Environment } from '#config/variables.ts';
import { Secret } from '#ports/runtime/secret.ts';
import { type Browser, browsers, builtExtensionIds } from '#setup/desired-state.ts';

/** Options of `provision` as parsed by commander. */
export interface ProvisionOptions {
  adminKeyFile?: string;
  browsers: string;
  /** False for `--no-operator`. */
  operator?: boolean;
  extensionId: string[];
  withSnapshots?: boolean;
  beforeInsert?: boolean;
  protect?: boolean;
  protectCustomerOrgid?: boolean;
  claims?: ClaimsMode;
  /** Take away what was made; `fields`: the custom fields too. */
  remove?: boolean;
  fields?: boolean;
  plan?: boolean;
  yes?: boolean;
}

export interface ProvisionSettings {
  helpdeskUrl: string;
  publicUrl: string;
  /** Null if there is none yet. */
  webhookSecret: Secret | null;
  /** Null unless the Before Insert script is requested. */
  scriptSecret: Secret | null;
  adminKey: Secret;
  browsers: { browser: Browser; extensionId: string }[];
  allowInsecure: boolean;
}

/** The required part of the environment: the service account may not exist yet. */
const Needed = Environment.pick({
  HELPDESK_URL: true,
  PUBLIC_URL: true,
  HELPDESK_WEBHOOK_SECRET: true,
  HELPDESK_SCRIPT_SECRET: true,
  ALLOW_INSECURE_UPSTREAMS: true,
  MASTER_KEY: true,
  MASTER_KEY_FILE: true,
}).required({ PUBLIC_URL: true });

const expected: Record<string, string> = {
  HELPDESK_URL: 'the address of the helpdesk, such as https://help.example.com',
  PUBLIC_URL: 'the address at which the helpdesk reaches the proxy, such as https://deskside.example.com',
};

/**
 * Reads the settings of `provision`. The administrator's key comes from a file or from DESKSIDE_ADMIN_KEY, never from
 * an argument, which every user of the machine could see.
 *
 * @throws ConfigError with all problems at once, each naming its variable or option; no secret is quoted
 */
export function readProvisionSettings(
  options: ProvisionOptions,
  environment: Record<string, string | undefined>,
): ProvisionSettings {
  const problems: string[] = [];
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = Needed.safeParse(given);
  for (const { path, message, code } of parsed.error?.issues ?? []) {
    const variable = String(path[0]);
    problems.push(
      given[variable] === undefined
        ? `${variable}: missing; expected ${expected[variable] ?? 'a value'}`
        : `${variable}: ${code === 'invalid_type' ? 'expected text' : message}`,
    );
  }
  if (parsed.success && !parsed.data.ALLOW_INSECURE_UPSTREAMS) {
    for (const variable of ['HELPDESK_URL', 'PUBLIC_URL'] as const) {
      if (parsed.data[variable].startsWith('http:')) problems.push(`${variable}: ${httpRefused(variable)}`);
    }
  }
  const scriptSecret = readScriptSecret(options, parsed.data?.HELPDESK_SCRIPT_SECRET?.[0], problems);
  const adminKey = readAdminKey(options, given, problems);
  const clients = readBrowsers(options, problems);
  const webhookSecret = parsed.data?.HELPDESK_WEBHOOK_SECRET?.[0] ?? null;
  if (parsed.success && webhookSecret === null && !parsed.data.MASTER_KEY && !parsed.data.MASTER_KEY_FILE)
    problems.push(
      'MASTER_KEY: missing; expected 32 bytes in base64 (openssl rand -base64 32), under which the store keeps HELPDESK_WEBHOOK_SECRET',
    );
  if (problems.length > 0 || !parsed.success || adminKey === null) {
    throw new ConfigError(`The helpdesk cannot be provisioned yet:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  return {
    helpdeskUrl: parsed.data.HELPDESK_URL,
    publicUrl: parsed.data.PUBLIC_URL,
    webhookSecret,
    scriptSecret,
    adminKey,
    browsers: clients,
    allowInsecure: parsed.data.ALLOW_INSECURE_UPSTREAMS,
  };
}

function readScriptSecret({ beforeInsert, protect }: ProvisionOptions, secret: Secret | undefined, problems: string[]) {
  if (!beforeInsert) return null;
  if (protect) {
    problems.push(
      '--before-insert and --protect cannot be combined: what a Before Insert script sets in a protected field is reset',
    );
  }
  if (secret === undefined) {
    problems.push('HELPDESK_SCRIPT_SECRET: missing; --before-insert expects at least 16 characters');
    return null;
  }
  // It is sent in a header and is part of the script's text.
  if (/^[\x21-\x7e]+$/.test(secret.reveal())) return secret;
  problems.push('HELPDESK_SCRIPT_SECRET: expected ASCII letters, digits and punctuation only, without blanks');
  return null;
}

function readAdminKey(
  { adminKeyFile, plan }: ProvisionOptions,
  { DESKSIDE_ADMIN_KEY, HELPDESK_API_KEY, HELPDESK_API_SECRET }: Record<string, string | undefined>,
  problems: string[],
): Secret | null {
  let key = DESKSIDE_ADMIN_KEY;
  if (adminKeyFile !== undefined) {
    try {
      key = readFileSync(adminKeyFile, 'utf8');
    } catch {
      problems.push('--admin-key-file: expected the path of a readable file');
      return null;
    }
  }
  // A plan shows what the service account may see.
  if (key === undefined && plan && HELPDESK_API_KEY && HELPDESK_API_SECRET)
    key = `${HELPDESK_API_KEY}:${HELPDESK_API_SECRET.split(',')[0]}`;
  const source = adminKeyFile === undefined ? 'DESKSIDE_ADMIN_KEY' : '--admin-key-file';
  if (key === undefined) {
    problems.push('DESKSIDE_ADMIN_KEY or --admin-key-file: missing; expected the key:secret of a System Manager');
    return null;
  }
  if (/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key.trim())) return new Secret(key.trim());
  problems.push(`${source}: expected an API key and secret in the form key:secret`);
  return null;
}

const ExtensionId = z.object({
  browser: z.enum(browsers),
  id: z.string().regex(/^[a-p]{32}$|^\{[0-9a-f-]{36}\}$|^[\w.-]+@[\w.-]+$/),
});

function readBrowsers(options: ProvisionOptions, problems: string[]): ProvisionSettings['browsers'] {
  const ids = { ...builtExtensionIds };
  for (const pair of options.extensionId) {
    const at = pair.indexOf('=');
    const parsed = ExtensionId.safeParse({ browser: pair.slice(0, at), id: pair.slice(at + 1) });
    if (parsed.success) ids[parsed.data.browser] = parsed.data.id;
    else problems.push(`--extension-id: expected <browser>=<id>, such as chrome=${builtExtensionIds.chrome}`);
  }
  const names = new Set(options.browsers.split(',').map((name) => name.trim()));
  names.delete('none');
  return [...names].flatMap((name) => {
    const browser = browsers.find((known) => known === name);
    if (browser !== undefined) return [{ browser, extensionId: ids[browser] }];
    problems.push(`--browsers: expected some of ${browsers.join(', ')}, separated by commas, or none`);
    return [];
  });
}
