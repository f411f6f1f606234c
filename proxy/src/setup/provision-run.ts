import type { ClaimsMode } from '@deskside/shared/routing';
import * as z from 'zod';
import { needAdminKey } from '#commands/settings.ts';
import { never } from '#commands/terminal.ts';
import { ConfigError, Environment, httpRefused, readSome } from '#config.ts';
import type { AdminDoctype, HelpdeskAdmin } from '#helpdesk/admin.ts';
import { type Browser, browsers, builtExtensionIds } from './desired-state.ts';
import { ownExtensionId } from './extension.ts';
import { type Mode, ProvisionError } from './items.ts';
import type { OwnSettings, SettingsGiven } from './own-settings.ts';

/** Options of `provision` as parsed by commander. */
export interface ProvisionOptions {
  adminKeyFile?: string;
  extensionId: string[];
  withSnapshots?: boolean;
  beforeInsert?: boolean;
  claims?: ClaimsMode;
  /** Take away what was made; `fields`: the custom fields too. */
  remove?: boolean;
  fields?: boolean;
  plan?: boolean;
  yes?: boolean;
}

/** What a run goes by, and what it finds out on its way. */
export interface ProvisionRun {
  admin: HelpdeskAdmin;
  own: OwnSettings;
  settings: ProvisionSettings;
  signal: AbortSignal;
  /** Whose key it is, and what it shows: which fields are documents of their own, and the Server Scripts. */
  user: string;
  seesAll: boolean;
  seesScripts: boolean;
  site: { ticket: AdminDoctype; customer: AdminDoctype };
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

export type ProvisionSettings = ReturnType<typeof readProvisionSettings>;

/**
 * What the operator wants in the helpdesk, and how it is reached.
 *
 * @throws ConfigError with all problems at once, each naming its variable or option; no secret is quoted
 */
export function readProvisionSettings(
  options: ProvisionOptions,
  { file, variables }: SettingsGiven,
  teams: readonly string[],
) {
  const { data, problems } = readSome(Needed, variables);
  if (data && !data.ALLOW_INSECURE_UPSTREAMS && data.PUBLIC_URL.startsWith('http:'))
    problems.push(`PUBLIC_URL: ${httpRefused('PUBLIC_URL')}`);
  const script = options.beforeInsert ? (data?.HELPDESK_SCRIPT_SECRET?.[0]?.reveal() ?? null) : null;
  if (options.beforeInsert && script === null)
    problems.push('HELPDESK_SCRIPT_SECRET: missing; --before-insert expects at least 16 characters');
  // It is sent in a header and is part of the script's text.
  if (script !== null && !/^[\x21-\x7e]+$/.test(script))
    problems.push('HELPDESK_SCRIPT_SECRET: expected ASCII letters, digits and punctuation only, without blanks');
  const adminKey = keyOf(options, variables, problems);
  const extensionIds = extensionIdsOf(options, file, problems);
  if (problems.length > 0 || !data || adminKey === null)
    throw new ConfigError(`The helpdesk cannot be provisioned yet:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  return {
    HELPDESK_URL: data.HELPDESK_URL,
    ALLOW_INSECURE_UPSTREAMS: data.ALLOW_INSECURE_UPSTREAMS,
    adminKey,
    /** Origin at which the helpdesk reaches the proxy. */
    publicUrl: data.PUBLIC_URL,
    /** The current secret of the webhook, then possibly the previous one; empty if we have none. */
    webhookSecrets: data.HELPDESK_WEBHOOK_SECRET ?? [],
    /** Of the Before Insert script; null if that is not wanted. */
    scriptSecret: script,
    extensionIds,
    /** Whether to store CRM snapshots in HD Customer Data. */
    snapshots: options.withSnapshots ?? false,
    teams,
  };
}

/** For a plan that of the service account will do: it shows what that may see. */
function keyOf({ adminKeyFile, plan }: ProvisionOptions, variables: SettingsGiven['variables'], problems: string[]) {
  const { DESKSIDE_ADMIN_KEY, HELPDESK_API_KEY: key, HELPDESK_API_SECRET: secret } = variables;
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

/** The ids of the extension: as given, as the key beside the settings has it, or as built here. */
function extensionIdsOf({ extensionId }: ProvisionOptions, file: string | null, problems: string[]) {
  const own = ownExtensionId(file);
  const ids = { ...builtExtensionIds, ...(own !== null && { chrome: own, edge: own }) };
  for (const pair of extensionId) {
    const at = pair.indexOf('=');
    const parsed = ExtensionId.safeParse({ browser: pair.slice(0, at), id: pair.slice(at + 1) });
    if (parsed.success) ids[parsed.data.browser] = parsed.data.id;
    else problems.push(`--extension-id: expected <browser>=<id>, such as chrome=${builtExtensionIds.chrome}`);
  }
  return ids;
}

/**
 * Finds out who asks, and reads the two DocTypes.
 *
 * @param mode a plan needs no System Manager's key: what others cannot see is `unseen`
 * @throws ProvisionError if the key is of no use for this
 */
export async function startRun(
  admin: HelpdeskAdmin,
  own: OwnSettings,
  settings: ProvisionSettings,
  mode: Mode,
): Promise<ProvisionRun> {
  const signal = never();
  const { user, hasRole } = await (mode === 'plan' ? admin.caller(signal) : systemManager(admin));
  const [seesAll, seesScripts] = [hasRole('System Manager'), hasRole('Script Manager')];
  if (settings.scriptSecret !== null && !seesScripts && seesAll)
    throw new ProvisionError(
      `${user} does not have the role Script Manager, which --before-insert needs. Give the account that role, or leave the ` +
        'option out: the webhook routes tickets without it.',
    );
  const [ticket, customer] = await Promise.all([
    admin.doctype('HD Ticket', signal),
    admin.doctype('HD Customer', signal),
  ]);
  if (ticket === null || customer === null)
    throw new ProvisionError('The site at HELPDESK_URL has no HD Ticket: Frappe Helpdesk is not installed there.');
  return { admin, own, settings, signal, user, seesAll, seesScripts, site: { ticket, customer }, clientIds: {} };
}

/** Who the key belongs to, which has to be a System Manager. Throws ProvisionError, and HelpdeskError. */
export async function systemManager(admin: HelpdeskAdmin): ReturnType<HelpdeskAdmin['caller']> {
  const caller = await admin.caller(never());
  if (caller.hasRole('System Manager')) return caller;
  throw new ProvisionError(
    `${caller.user} is not a System Manager of the helpdesk. Use the key of an account that is.`,
  );
}
