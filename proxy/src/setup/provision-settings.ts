import type { ClaimsMode } from '@deskside/shared/routing';
import * as z from 'zod';
import { needAdminKey } from '#commands/admin-key.ts';
import type { Variables } from '#commands/environment-file.ts';
import { ConfigError, httpRefused, readSome } from '#config.ts';
import type { AdminDoctype, HelpdeskAdmin } from '#helpdesk/admin.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Made } from '#store/notes.ts';
import { Environment } from '#variables.ts';
import { type Browser, browsers, builtExtensionIds } from './desired-state.ts';
import type { OwnSettings } from './own-settings.ts';

/** Options of `provision` as parsed by commander. */
export interface ProvisionOptions {
  adminKeyFile?: string;
  browsers: string;
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

/** What the operator wants in the helpdesk, and how it is reached. */
export interface ProvisionSettings {
  HELPDESK_URL: string;
  ALLOW_INSECURE_UPSTREAMS: boolean;
  adminKey: Secret;
  /** Origin at which the helpdesk reaches the proxy. */
  publicUrl: string;
  /** The current secret of the webhook, then possibly the previous one; empty if we have none. */
  webhookSecrets: readonly Secret[];
  /** Browsers that get an OAuth client, with the id of the extension there. */
  browsers: readonly { browser: Browser; extensionId: string }[];
  /** Whether to store CRM snapshots in HD Customer Data. */
  snapshots: boolean;
  /** Whether fields that only the service writes are moved to permission level 1. */
  protect: boolean;
  /** Whether the fields that identify an HD Customer's company move there too, if website users may write them. */
  protectCustomerOrgId: boolean;
  /** The Before Insert script with its current secret; null if not wanted. */
  beforeInsert: { secret: string } | null;
}

/** What a run goes by, and what it finds out on its way. */
export interface ProvisionRun {
  admin: HelpdeskAdmin;
  own: OwnSettings;
  options: ProvisionSettings & { teams: readonly string[] };
  signal: AbortSignal;
  /** Whose key it is, and what it shows: which fields are documents of their own, and the Server Scripts. */
  user: string;
  seesAll: boolean;
  seesScripts: boolean;
  site: { ticket: AdminDoctype; customer: AdminDoctype };
  /** What earlier runs have made in the helpdesk, and this one. */
  made: Made;
  /** Ids of the OAuth clients, as far as they are there. */
  clientIds: Partial<Record<Browser, string>>;
}

/** The required part of the environment: the service account may not exist yet. */
const Needed = Environment.pick({
  HELPDESK_URL: true,
  PUBLIC_URL: true,
  HELPDESK_WEBHOOK_SECRET: true,
  HELPDESK_SCRIPT_SECRET: true,
  ALLOW_INSECURE_UPSTREAMS: true,
}).required({ PUBLIC_URL: true });

/**
 * Reads the settings of `provision`.
 *
 * @throws ConfigError with all problems at once, each naming its variable or option; no secret is quoted
 */
export function readProvisionSettings(options: ProvisionOptions, environment: Variables): ProvisionSettings {
  const { data, problems } = readSome(Needed, environment);
  if (data && !data.ALLOW_INSECURE_UPSTREAMS && data.PUBLIC_URL.startsWith('http:'))
    problems.push(`PUBLIC_URL: ${httpRefused('PUBLIC_URL')}`);
  const beforeInsert = readScriptSecret(options, data?.HELPDESK_SCRIPT_SECRET?.[0], problems);
  const adminKey = keyOf(options, environment, problems);
  const clients = readBrowsers(options, problems);
  if (problems.length > 0 || !data || adminKey === null)
    throw new ConfigError(`The helpdesk cannot be provisioned yet:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  return {
    HELPDESK_URL: data.HELPDESK_URL,
    ALLOW_INSECURE_UPSTREAMS: data.ALLOW_INSECURE_UPSTREAMS,
    adminKey,
    publicUrl: data.PUBLIC_URL,
    webhookSecrets: data.HELPDESK_WEBHOOK_SECRET ?? [],
    browsers: clients,
    snapshots: options.withSnapshots ?? false,
    protect: options.protect ?? false,
    protectCustomerOrgId: options.protectCustomerOrgid ?? true,
    beforeInsert,
  };
}

function readScriptSecret({ beforeInsert, protect }: ProvisionOptions, secret: Secret | undefined, problems: string[]) {
  if (!beforeInsert) return null;
  if (protect)
    problems.push(
      '--before-insert and --protect cannot be combined: what a Before Insert script sets in a protected field is reset',
    );
  // It is sent in a header and is part of the script's text.
  if (secret === undefined)
    problems.push('HELPDESK_SCRIPT_SECRET: missing; --before-insert expects at least 16 characters');
  else if (/^[\x21-\x7e]+$/.test(secret.reveal())) return { secret: secret.reveal() };
  else problems.push('HELPDESK_SCRIPT_SECRET: expected ASCII letters, digits and punctuation only, without blanks');
  return null;
}

/** For a plan that of the service account will do: it shows what that may see. */
function keyOf({ adminKeyFile, plan }: ProvisionOptions, environment: Variables, problems: string[]): Secret | null {
  const { DESKSIDE_ADMIN_KEY, HELPDESK_API_KEY: key, HELPDESK_API_SECRET: secret } = environment;
  const own = plan && key && secret ? `${key}:${secret.split(',')[0]}` : undefined;
  try {
    return needAdminKey(adminKeyFile, DESKSIDE_ADMIN_KEY?.trim() ? DESKSIDE_ADMIN_KEY : own);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(error.message);
    return null;
  }
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
