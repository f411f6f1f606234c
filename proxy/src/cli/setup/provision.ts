import { ClaimsMode } from '@deskside/shared/routing';
import { Command, Option } from 'commander';
import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { StoreError } from '#adapters/store-sql/store.ts';
import { SettingRefused } from '#app/settings/setting-refused.ts';
import { overStoredSecrets } from '#cli/load-config.ts';
import { terminal } from '#cli/terminal/terminal.ts';
import { ConfigError } from '#config/environment.ts';
import { createEgress } from '#net/egress.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { helpdeskWords } from '#setup/doctor/words.ts';
import type { ProvisionIo } from '#setup/provision/io.ts';
import { ProvisionError, type ProvisionOptions as WantedOnSite } from '#setup/provision/options.ts';
import { provision } from '#setup/provision/provision.ts';
import { unprovision } from '#setup/provision/remove.ts';
import { ownSettings } from './own-settings.ts';
import { type ProvisionOptions, readProvisionSettings } from './provision-settings.ts';

/** A new field makes the helpdesk alter a table, which takes seconds on a large one. */
const timeoutMs = 60_000;

const never = () => new AbortController().signal;

const collect = (value: string, before: string[]) => [...before, value];

/** `deskside provision`: creates in the helpdesk what the service needs (docs/operations.md#commands). */
export function provisionCommand(): Command {
  return new Command('provision')
    .description('Show and then create what the proxy needs in the helpdesk; a second run changes nothing')
    .option('--admin-key-file <path>', "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY)")
    .option('--browsers <list>', 'browsers that get an OAuth client, or "none"', 'chrome,edge,firefox')
    .option('--no-operator', 'without the OAuth client of the operator page')
    .option('--extension-id <browser=id>', 'id of the extension, if it is not the built-in one', collect, [])
    .option('--with-snapshots', 'also create the DocType HD Customer Data, for snapshots of CRM companies')
    .option(
      '--before-insert',
      'also create the Server Script that routes a ticket before it is inserted (needs Script Manager)',
    )
    .option('--protect', 'move the fields of HD Ticket that only the service writes to permission level 1')
    .option(
      '--no-protect-customer-orgid',
      'leave the org id of HD Customer to the portal customers who may write it (1.28 and later)',
    )
    .addOption(
      new Option('--claims <mode>', 'what an org id is worth that only the sender vouches for').choices(
        ClaimsMode.options,
      ),
    )
    .option('--remove', 'take away what was made, instead: sign-ins, clients, webhook, script, permissions')
    .option('--fields', 'with --remove: the custom fields too, with their values')
    .option('--plan', 'show the plan and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: ProvisionOptions) => {
      process.exitCode = await runProvision(options, process.env, terminal());
    });
}

/**
 * The command without its process: parses, runs, and turns failures into one sentence.
 *
 * @param more what `init` adds
 * @returns the exit code: 0 done, nothing to do or only shown; 1 failed; 2 not confirmed
 */
export async function runProvision(
  options: ProvisionOptions,
  environment: Record<string, string | undefined>,
  io: ProvisionIo & { printError(text: string): void },
  more: Partial<Pick<WantedOnSite, 'teams' | 'first'>> = {},
): Promise<number> {
  try {
    const settings = readProvisionSettings(options, await overStoredSecrets(environment));
    const own = await ownSettings(environment, options.claims ?? null);
    const egress = createEgress({ allowInsecure: settings.allowInsecure });
    try {
      const upstream = egress.upstream(settings.helpdeskUrl, { timeoutMs, maxConnections: 4 });
      const deps = { admin: createAdminClient(upstream, settings.adminKey.reveal()), own, io, signal: never() };
      const mode = options.plan ? 'plan' : options.yes ? 'yes' : 'ask';
      if (options.remove) return await unprovision(deps, options.fields ?? false, mode);
      return await provision(
        deps,
        {
          publicUrl: settings.publicUrl,
          webhookSecret: settings.webhookSecret,
          browsers: settings.browsers,
          operator: options.operator ?? true,
          snapshots: options.withSnapshots ?? false,
          protect: options.protect ?? false,
          protectCustomerOrgId: options.protectCustomerOrgid ?? true,
          beforeInsert: settings.scriptSecret === null ? null : { secret: settings.scriptSecret.reveal() },
          teams: more.teams ?? [],
          first: more.first ?? [],
        },
        mode,
      );
    } finally {
      await egress.close();
    }
  } catch (error) {
    if (
      error instanceof ConfigError ||
      error instanceof ProvisionError ||
      error instanceof SettingRefused ||
      error instanceof StoreError
    )
      io.printError(error.message);
    else if (error instanceof HelpdeskError) io.printError(explain(error));
    else throw error;
    return 1;
  }
}

/** What an administrator can do about what the helpdesk said, as sentences. */
export function explain({ kind, message, certificate }: HelpdeskError): string {
  if (kind === 'unauthenticated') {
    return 'The helpdesk does not recognise the key in --admin-key-file or DESKSIDE_ADMIN_KEY. Create a new one in the helpdesk: User, Settings, API Access.';
  }
  if (certificate) {
    const { problem, remedy } = helpdeskWords.certificate(certificate);
    return `${problem} ${remedy}`;
  }
  if (kind === 'unavailable' || kind === 'timeout') return `The helpdesk at HELPDESK_URL does not respond. ${message}`;
  if (kind === 'bad_answer') return `The server at HELPDESK_URL is not a Frappe Helpdesk. ${message}`;
  return message;
}
