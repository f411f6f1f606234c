import type { Browser } from '@deskside/shared/contract';
import { ClaimsMode } from '@deskside/shared/routing';
import { Command, Option } from 'commander';
import { environmentFile, needAdminKey } from '#commands/settings.ts';
import { collect, sentenceOf, type Terminal, terminal } from '#commands/terminal.ts';
import { ConfigError, Environment, httpRefused, readSome } from '#config.ts';
import { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import { StartError } from '#runtime/app-error.ts';
import type { Secret } from '#runtime/secret.ts';
import { ownExtensionId } from '#setup/extension.ts';
import { carryOut, type Item } from '#setup/items.ts';
import type { ProvisionRun } from '#setup/needs/need.ts';
import { removalItems, wantedItems } from '#setup/needs/needs.ts';
import { builtExtensionIds } from '#setup/needs/sign-in.ts';
import { type OwnSettings, ownSettings, type SettingsSource } from './own-settings.ts';

/** Options of `provision` as parsed by commander. */
export interface ProvisionOptions {
  adminKeyFile?: string;
  extensionId: string[];
  withSnapshots?: boolean;
  beforeInsert?: boolean;
  claims?: ClaimsMode;
  /** Take away what was made; `fields`: the custom fields too; `account`: disable the service account. */
  remove?: boolean;
  fields?: boolean;
  account?: boolean;
  plan?: boolean;
  yes?: boolean;
}

/** How a running service gets to know of it. */
export const reloading = '"sudo systemctl reload deskside", or SIGHUP to each proxy, has it read them again.';

/** A new field makes the helpdesk alter a table, which takes seconds on a large one. */
const timeoutMs = 60_000;

/** `--claims`, of `provision` and `init`. */
export const claimsOption = () =>
  new Option('--claims <mode>', 'what an org id is worth that only the sender vouches for').choices(ClaimsMode.options);

/** `deskside provision`: creates in the helpdesk what the service needs (docs/operate.md#commands). */
export function provisionCommand(): Command {
  return new Command('provision')
    .description('Show and then create what the proxy needs in the helpdesk; a second run changes nothing')
    .option('--admin-key-file <path>', "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY)")
    .option('--extension-id <browser=id>', 'id of the extension, if it is not the built-in one', collect, [])
    .option('--with-snapshots', 'also create the DocType HD Customer Data, for snapshots of CRM companies')
    .option(
      '--before-insert',
      'also create the Server Script that routes a ticket before it is inserted (needs Script Manager)',
    )
    .addOption(claimsOption())
    .option('--remove', 'take away what was made, instead: sign-ins, clients, webhook, script, permissions')
    .option('--fields', 'with --remove: the custom fields too, with their values')
    .option('--plan', 'show the plan and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: ProvisionOptions, command: Command) => {
      const file = environmentFile(command.optsWithGlobals<{ envFile?: string }>().envFile);
      const { code, isWritten } = await runProvision(options, { file, variables: process.env }, terminal());
      if (isWritten) terminal().print(reloading);
      process.exitCode = code;
    });
}

/**
 * Brings the helpdesk into the desired state, or with `remove` takes away what that has made; what others have made or changed
 * stays, and is said. A second run finds nothing to do.
 *
 * @param more what `init` adds: what comes first, teams that are made, what was answered, and what it says where nobody agrees
 * @returns the exit code: 0 done, nothing to do or only shown; 1 failed; 2 not confirmed; and whether a file of ours changed
 */
export async function runProvision(
  options: ProvisionOptions,
  given: SettingsSource,
  io: Pick<Terminal, 'print' | 'printError' | 'ask'>,
  {
    first = [],
    teams = [],
    unchanged,
    platformHosts = null,
  }: { first?: readonly Item[]; teams?: readonly string[]; unchanged?: string; platformHosts?: string[] | null } = {},
): Promise<{ code: number; isWritten: boolean }> {
  try {
    const settings = readProvisionSettings(options, given);
    const own = ownSettings(given, { claims: options.claims ?? null, platformHosts });
    const mode = options.plan ? 'plan' : options.yes ? 'yes' : 'ask';
    const code = await withEgress(settings, async (egress) => {
      const upstream = egress.upstream(settings.HELPDESK_URL, { timeoutMs, maxConnections: 4 });
      const run = await startRun(new HelpdeskAdmin(upstream, settings.adminKey.reveal()), own, settings, teams);
      const { items, warnings } = options.remove
        ? await removalItems(run, options)
        : { items: await wantedItems(run), warnings: [] };
      const code = await carryOut([...first, ...items], warnings, io, mode, unchanged);
      // The ids are public: the browsers are told them.
      if (code !== 2 && !options.remove && Object.keys(run.clientIds).length > 0)
        io.print(
          `\nThe browsers' clients, as the settings name them:\nOAUTH_CLIENT_IDS=${JSON.stringify(run.clientIds)}`,
        );
      return code;
    });
    for (const [file, names] of own.written) io.print(`\n${file} changed: ${names.join(', ')}.`);
    return { code, isWritten: own.written.size > 0 };
  } catch (error) {
    io.printError(sentenceOf(error));
    return { code: 1, isWritten: false };
  }
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
 * What the operator wants in the helpdesk, and how it is reached.
 *
 * @throws ConfigError with all problems at once, each naming its variable or option; no secret is quoted
 */
export function readProvisionSettings(options: ProvisionOptions, { file, variables }: SettingsSource) {
  const { data, problems } = readSome(Needed, variables);
  if (data && !data.ALLOW_INSECURE_UPSTREAMS && data.PUBLIC_URL.startsWith('http:'))
    problems.push(`PUBLIC_URL: ${httpRefused('PUBLIC_URL')}`);
  const scriptSecret = options.beforeInsert ? readScriptSecret(data?.HELPDESK_SCRIPT_SECRET, problems) : null;
  const extensionIds = readExtensionIds(options, file, problems);
  try {
    const adminKey = needAdminKey(options.adminKeyFile, variables.DESKSIDE_ADMIN_KEY);
    if (data && problems.length === 0)
      return {
        ...{ ...data, adminKey, scriptSecret, extensionIds, withSnapshots: options.withSnapshots ?? false },
        apiKey: variables.HELPDESK_API_KEY?.trim(),
      };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(error.message);
  }
  throw new ConfigError(`The helpdesk cannot be provisioned yet:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

function readScriptSecret(secrets: readonly Secret[] | undefined, problems: string[]): string {
  const secret = secrets?.[0]?.reveal() ?? '';
  // It is sent in a header and is part of the script's text.
  if (!/^[\x21-\x7e]+$/.test(secret))
    problems.push(
      'HELPDESK_SCRIPT_SECRET: missing, or not of ASCII letters, digits and punctuation alone, as --before-insert needs it',
    );
  return secret;
}

/** Of the built extension; instead of these, of the one packed for the operator, and those of the options. */
function readExtensionIds(options: ProvisionOptions, file: SettingsSource['file'], problems: string[]) {
  const ids = ownExtensionId(file);
  const extensionIds = { ...builtExtensionIds, ...(ids !== null && { chrome: ids, edge: ids }) };
  for (const pair of options.extensionId) {
    const [, browser, id = ''] = extensionId.exec(pair) ?? [];
    if (browser) extensionIds[browser as Browser] = id;
    else problems.push(`--extension-id: expected <browser>=<id>, such as chrome=${builtExtensionIds.chrome}`);
  }
  return extensionIds;
}

const extensionId = /^(chrome|edge|firefox)=([a-p]{32}|\{[0-9a-f-]{36}\}|[\w.-]+@[\w.-]+)$/;

/** Finds out who asks. Throws StartError if the key is of no use for this. */
async function startRun(
  admin: HelpdeskAdmin,
  own: OwnSettings,
  settings: ReturnType<typeof readProvisionSettings>,
  teams: readonly string[],
): Promise<ProvisionRun> {
  const { user, hasRole } = await systemManager(admin);
  const seesScripts = hasRole('Script Manager');
  if (settings.scriptSecret !== null && !seesScripts)
    throw new StartError(
      `${user} does not have the role Script Manager, which --before-insert needs. Give the account that role, or leave the ` +
        'option out: the webhook routes tickets without it.',
    );
  if ((await admin.doctype('HD Ticket')) === null)
    throw new StartError('The site at HELPDESK_URL has no HD Ticket: Frappe Helpdesk is not installed there.');
  return { admin, own, settings, user, seesScripts, teams, clientIds: {} };
}

/** Who the key belongs to, which has to be a System Manager. Throws StartError, and HelpdeskError. */
export async function systemManager(admin: HelpdeskAdmin): ReturnType<HelpdeskAdmin['caller']> {
  const caller = await admin.caller();
  if (caller.hasRole('System Manager')) return caller;
  throw new StartError(`${caller.user} is not a System Manager of the helpdesk. Use the key of an account that is.`);
}
