import { ClaimsMode } from '@deskside/shared/routing';
import { Command, Option } from 'commander';
import { collect, never } from '#commands/arguments.ts';
import { environmentFile } from '#commands/environment-file.ts';
import { sentenceOf } from '#commands/run-command.ts';
import { terminal } from '#commands/terminal.ts';
import { createAdminClient } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import { ownSettings, type SettingsGiven } from './own-settings.ts';
import type { ProvisionIo } from './provision/io.ts';
import type { ProvisionOptions as WantedOnSite } from './provision/options.ts';
import { provision } from './provision/provision.ts';
import { unprovision } from './provision/remove.ts';
import { type ProvisionOptions, readProvisionSettings } from './provision-settings.ts';

/** How a running service gets to know of it. */
export const reloading = '"systemctl reload deskside", or SIGHUP to each proxy, has it read them again.';

/** A new field makes the helpdesk alter a table, which takes seconds on a large one. */
const timeoutMs = 60_000;

/** `--claims`, of `provision` and `init`. */
export const claimsOption = () =>
  new Option('--claims <mode>', 'what an org id is worth that only the sender vouches for').choices(ClaimsMode.options);

/** `deskside provision`: creates in the helpdesk what the service needs (docs/operations.md#commands). */
export function provisionCommand(): Command {
  return new Command('provision')
    .description('Show and then create what the proxy needs in the helpdesk; a second run changes nothing')
    .option('--admin-key-file <path>', "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY)")
    .option('--browsers <list>', 'browsers that get an OAuth client, or "none"', 'chrome,edge,firefox')
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
    .addOption(claimsOption())
    .option('--remove', 'take away what was made, instead: sign-ins, clients, webhook, script, permissions')
    .option('--fields', 'with --remove: the custom fields too, with their values')
    .option('--plan', 'show the plan and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: ProvisionOptions, command: Command) => {
      const file = environmentFile(command.optsWithGlobals<{ envFile?: string }>().envFile);
      const io = terminal();
      process.exitCode = await runProvision(options, { file, variables: process.env }, io, {
        onWritten: (files) => io.print(`\n${files.join(' and ')} changed: ${reloading}`),
      });
    });
}

/**
 * The command without its process: parses, runs, and turns failures into one sentence.
 *
 * @param more what `init` adds; `onWritten`: is told which files of ours have changed
 * @returns the exit code: 0 done, nothing to do or only shown; 1 failed; 2 not confirmed
 */
export async function runProvision(
  options: ProvisionOptions,
  given: SettingsGiven,
  io: ProvisionIo & { printError(text: string): void },
  more: Partial<Pick<WantedOnSite, 'teams' | 'first'>> & { onWritten?: (files: string[]) => void } = {},
): Promise<number> {
  try {
    const settings = readProvisionSettings(options, given.variables);
    const own = ownSettings(given, options.claims ?? null);
    const mode = options.plan ? 'plan' : options.yes ? 'yes' : 'ask';
    return await withEgress(settings, async (egress) => {
      const upstream = egress.upstream(settings.HELPDESK_URL, { timeoutMs, maxConnections: 4 });
      const deps = { admin: createAdminClient(upstream, settings.adminKey.reveal()), own, io, signal: never() };
      if (options.remove) return unprovision(deps, options.fields ?? false, mode);
      const wanted = { ...settings, teams: more.teams ?? [], first: more.first ?? [] };
      const code = await provision(deps, wanted, mode);
      if (own.written.size > 0) more.onWritten?.([...own.written]);
      return code;
    });
  } catch (error) {
    io.printError(sentenceOf(error));
    return 1;
  }
}
