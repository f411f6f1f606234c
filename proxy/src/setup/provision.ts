import { ClaimsMode } from '@deskside/shared/routing';
import { Command, Option } from 'commander';
import { collect, never } from '#commands/arguments.ts';
import { environmentFile } from '#commands/environment-file.ts';
import { sentenceOf } from '#commands/run-command.ts';
import { type Terminal, terminal } from '#commands/terminal.ts';
import { createAdminClient, type HelpdeskAdmin } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import { readSignUp } from './claims.ts';
import { ownExtensionId } from './extension.ts';
import { carryOut, type Item, type ItemIo, type Mode, ProvisionError } from './items.ts';
import { type OwnSettings, ownSettings, type SettingsGiven } from './own-settings.ts';
import { type ProvisionOptions, type ProvisionRun, readProvisionSettings } from './provision-settings.ts';
import {
  claimsItems,
  clientItems,
  documentRemovalItems,
  scriptItems,
  snapshotItems,
  teamItems,
  webhookItems,
} from './site-documents.ts';
import { fieldItems, fieldRemovalItems } from './site-permissions.ts';

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
    const own = ownExtensionId(given.file);
    const ids = own === null ? [] : [`chrome=${own}`, `edge=${own}`];
    const wanted = { ...options, extensionId: [...ids, ...options.extensionId] };
    const settings = readProvisionSettings(wanted, given.variables);
    const kept = ownSettings(given, options.claims ?? null);
    const mode = options.plan ? 'plan' : options.yes ? 'yes' : 'ask';
    const code = await withEgress(settings, async (egress) => {
      const upstream = egress.upstream(settings.HELPDESK_URL, { timeoutMs, maxConnections: 4 });
      const admin = createAdminClient(upstream, settings.adminKey.reveal());
      const run = await startRun(admin, kept, { ...settings, teams: more.teams ?? [] }, mode);
      return options.remove ? unprovision(run, options.fields ?? false, io, mode) : provision(run, more, io, mode);
    });
    for (const [file, names] of kept.written) io.print(`\n${file} changed: ${names.join(', ')}.`);
    return { code, isWritten: kept.written.size > 0 };
  } catch (error) {
    io.printError(sentenceOf(error));
    return { code: 1, isWritten: false };
  }
}

/**
 * Finds out who asks, and reads the two DocTypes.
 *
 * @param mode a plan needs no System Manager's key: what others cannot see is `unseen`
 * @throws ProvisionError if the key is of no use for this
 */
async function startRun(
  admin: HelpdeskAdmin,
  own: OwnSettings,
  options: ProvisionRun['options'],
  mode: Mode,
): Promise<ProvisionRun> {
  const signal = never();
  const { user, hasRole } = await (mode === 'plan' ? admin.caller(signal) : systemManager(admin));
  const [seesAll, seesScripts] = [hasRole('System Manager'), hasRole('Script Manager')];
  if (options.beforeInsert !== null && !seesScripts && seesAll)
    throw new ProvisionError(
      `${user} does not have the role Script Manager, which --before-insert needs. Give the account that role, or leave the ` +
        'option out: the webhook routes tickets without it.',
    );
  const [ticket, customer, made] = await Promise.all([
    admin.doctype('HD Ticket', signal),
    admin.doctype('HD Customer', signal),
    own.made(),
  ]);
  if (ticket === null || customer === null)
    throw new ProvisionError('The site at HELPDESK_URL has no HD Ticket: Frappe Helpdesk is not installed there.');
  return { admin, own, options, signal, user, seesAll, seesScripts, site: { ticket, customer }, made, clientIds: {} };
}

/** Who the key belongs to, which has to be a System Manager. Throws ProvisionError, and HelpdeskError. */
export async function systemManager(admin: HelpdeskAdmin): ReturnType<HelpdeskAdmin['caller']> {
  const caller = await admin.caller(never());
  if (caller.hasRole('System Manager')) return caller;
  throw new ProvisionError(
    `${caller.user} is not a System Manager of the helpdesk. Use the key of an account that is.`,
  );
}

/** Brings the helpdesk into the desired state: shows, asks, writes, reports. A second run finds nothing to do. */
async function provision(run: ProvisionRun, { first = [] }: More, io: ItemIo, mode: Mode): Promise<0 | 1 | 2> {
  const { own, made, clientIds } = run;
  const before = JSON.stringify(made);
  const signUpIsOpen = await readSignUp(run.admin, run.signal);
  const teams = await teamItems(run);
  const script = await scriptItems(run);
  const fields = await fieldItems(run);
  const snapshots = await snapshotItems(run);
  const webhook = await webhookItems(run);
  const clients = await clientItems(run);
  const claims = claimsItems(run, signUpIsOpen);
  const { code } = await carryOut(
    [...first, ...teams, ...fields.items, ...snapshots, ...webhook.items, ...clients, ...script, ...claims.items],
    [...fields.warnings, ...webhook.warnings, ...claims.warnings],
    io,
    mode,
  );
  if (code === 2) return code;
  if (mode !== 'plan' && signUpIsOpen !== null) await own.keepSignUp(signUpIsOpen);
  if (JSON.stringify(made) !== before) await own.keepMade(made);
  // The ids are public: the browsers are told them.
  if (Object.keys(clientIds).length > 0)
    io.print(`\nThe browsers' clients, as the settings name them:\nOAUTH_CLIENT_IDS=${JSON.stringify(clientIds)}`);
  return code;
}

/** Takes away what `provision` has made. What others have made or changed stays, and is said. */
async function unprovision(run: ProvisionRun, withFields: boolean, io: ItemIo, mode: Mode): Promise<0 | 1 | 2> {
  const { own, made } = run;
  const documents = await documentRemovalItems(run);
  const fields = await fieldRemovalItems(run, withFields);
  const settings = own.inFile(['HELPDESK_WEBHOOK_SECRET', 'OAUTH_CLIENT_IDS']).map(
    (name): Item => ({
      what: `Setting ${name}`,
      state: 'delete',
      detail: '',
      make: async () => own.keep({ [name]: null }),
    }),
  );
  const stays =
    'What tickets and people may hold on to stays: the service account (disable it by hand), teams with their assignment rules, HD Customer Data, and what the helpdesk has logged.';
  const { code, done } = await carryOut(
    [...documents, ...fields.items, ...settings],
    [...fields.warnings, stays],
    io,
    mode,
  );
  if (code === 0 && done > 0) await own.keepMade({ fields: withFields ? [] : made.fields, levels: [], rows: [] });
  return code;
}
