import { ClaimsMode } from '@deskside/shared/routing';
import { Command, Option } from 'commander';
import { environmentFile } from '#commands/settings.ts';
import { collect, sentenceOf, type Terminal, terminal } from '#commands/terminal.ts';
import { createAdminClient } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import { readSignUp } from './claims.ts';
import { carryOut, type Item, type ItemIo, type Mode } from './items.ts';
import { ownSettings, type SettingsGiven } from './own-settings.ts';
import {
  claimsItems,
  clientItems,
  documentRemovalItems,
  scriptItems,
  snapshotItems,
  teamItems,
  webhookItems,
} from './provision-documents.ts';
import { doctypeItems, doctypeRemovalItems } from './provision-permissions.ts';
import { type ProvisionOptions, type ProvisionRun, readProvisionSettings, startRun } from './provision-run.ts';

/** What `init` adds: teams that are made, and what comes first. */
interface More {
  teams?: readonly string[];
  first?: readonly Item[];
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
 * The command without its process: parses, runs, and turns failures into one sentence.
 *
 * @returns the exit code: 0 done, nothing to do or only shown; 1 failed; 2 not confirmed; and whether a file of ours changed
 */
export async function runProvision(
  options: ProvisionOptions,
  given: SettingsGiven,
  io: Pick<Terminal, 'print' | 'printError' | 'ask'>,
  more: More = {},
): Promise<{ code: number; isWritten: boolean }> {
  try {
    const settings = readProvisionSettings(options, given, more.teams ?? []);
    const own = ownSettings(given, options.claims ?? null);
    const mode = options.plan ? 'plan' : options.yes ? 'yes' : 'ask';
    const code = await withEgress(settings, async (egress) => {
      const upstream = egress.upstream(settings.HELPDESK_URL, { timeoutMs, maxConnections: 4 });
      const admin = createAdminClient(upstream, settings.adminKey.reveal());
      const run = await startRun(admin, own, settings, mode);
      return options.remove ? unprovision(run, options.fields ?? false, io, mode) : provision(run, more, io, mode);
    });
    for (const [file, names] of own.written) io.print(`\n${file} changed: ${names.join(', ')}.`);
    return { code, isWritten: own.written.size > 0 };
  } catch (error) {
    io.printError(sentenceOf(error));
    return { code: 1, isWritten: false };
  }
}

/** Brings the helpdesk into the desired state: shows, asks, writes, reports. A second run finds nothing to do. */
async function provision(run: ProvisionRun, { first = [] }: More, io: ItemIo, mode: Mode): Promise<0 | 1 | 2> {
  const teams = await teamItems(run);
  const script = await scriptItems(run);
  const doctypes = await doctypeItems(run);
  const snapshots = await snapshotItems(run);
  const webhook = await webhookItems(run);
  const clients = await clientItems(run);
  const claims = claimsItems(run, await readSignUp(run.admin, run.signal));
  const { code } = await carryOut(
    [...first, ...teams, ...doctypes.items, ...snapshots, ...webhook.items, ...clients, ...script, ...claims.items],
    [...doctypes.warnings, ...webhook.warnings, ...claims.warnings],
    io,
    mode,
  );
  // The ids are public: the browsers are told them.
  if (code !== 2 && Object.keys(run.clientIds).length > 0)
    io.print(`\nThe browsers' clients, as the settings name them:\nOAUTH_CLIENT_IDS=${JSON.stringify(run.clientIds)}`);
  return code;
}

/** Takes away what `provision` has made. What others have made or changed stays, and is said. */
async function unprovision(run: ProvisionRun, withFields: boolean, io: ItemIo, mode: Mode): Promise<0 | 1 | 2> {
  const { own } = run;
  const documents = await documentRemovalItems(run);
  const doctypes = await doctypeRemovalItems(run, withFields);
  const settings = own.inFile(['HELPDESK_WEBHOOK_SECRET', 'OAUTH_CLIENT_IDS']).map((name): Item => {
    const make = async () => own.keep({ [name]: null });
    return { what: `Setting ${name}`, state: 'delete', detail: '', make };
  });
  const stays =
    'What tickets and people may hold on to stays: the service account ("deskside uninstall" disables it), teams with their assignment rules, HD Customer Data, and what the helpdesk has logged.';
  const items = [...documents, ...doctypes.items, ...settings];
  return (await carryOut(items, [...doctypes.warnings, stays], io, mode)).code;
}
