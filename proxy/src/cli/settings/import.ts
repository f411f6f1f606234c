import { Command } from 'commander';
import { createAdminClient } from '#adapters/helpdesk-frappe/admin/admin-client.ts';
import { changeSetting } from '#app/settings/change-setting.ts';
import { listSettings } from '#app/settings/list-settings.ts';
import { masked } from '#app/settings/open-stored.ts';
import { SettingRefused } from '#app/settings/setting-refused.ts';
import { needAdminKey } from '#cli/admin-key.ts';
import { never } from '#cli/arguments.ts';
import { printTable } from '#cli/terminal/print-table.ts';
import { type Terminal, terminal } from '#cli/terminal/terminal.ts';
import { settingKinds } from '#config/settings-catalogue.ts';
import { withEgress } from '#net/egress.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { confirms } from '#setup/provision/io.ts';
import { type ImportedSetting, readIntegrationsSettings } from '#setup/read-integrations-settings.ts';
import { type OpenedForCommand, withSettings } from './open-settings.ts';

/** Longest wait for one response. */
const answerWithinMs = 15_000;

interface ImportOptions {
  adminKeyFile?: string;
  yes?: boolean;
}

/** `deskside settings import`: takes over what the helpdesk's own "Integrations Settings" holds. */
export function importCommand(): Command {
  return new Command('import')
    .description('Take over what the DocType "Integrations Settings" of the helpdesk holds, after showing it')
    .option('--admin-key-file <path>', "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY)")
    .option('--yes', 'do not ask for confirmation')
    .action((options: ImportOptions) =>
      withSettings(async (settings) => {
        const imported = await readFromHelpdesk(settings, options);
        process.exitCode = await takeOver(imported, settings, terminal(), options.yes ?? false);
      }),
    );
}

async function readFromHelpdesk(
  { environment }: OpenedForCommand,
  { adminKeyFile }: ImportOptions,
): Promise<ImportedSetting[]> {
  const key = needAdminKey(adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
  const found = await withEgress(environment, (egress) => {
    const upstream = egress.upstream(environment.HELPDESK_URL, { timeoutMs: answerWithinMs, maxConnections: 2 });
    return readIntegrationsSettings(createAdminClient(upstream, key.reveal()), never());
  }).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    throw new SettingRefused('refused', `"Integrations Settings" cannot be read: ${error.message}`);
  });
  if (found !== null) return found;
  throw new SettingRefused(
    'refused',
    'The helpdesk has no DocType "Integrations Settings"; there is nothing to import.',
  );
}

/**
 * Shows what would change, asks, and sets one after the other; each is tried first.
 *
 * @returns the exit code: 0 done or nothing to do, 1 something was refused, 2 not confirmed
 */
export async function takeOver(
  imported: readonly ImportedSetting[],
  ctx: Pick<OpenedForCommand, 'clock' | 'actor' | 'settings'>,
  io: Terminal,
  isSure: boolean,
): Promise<0 | 1 | 2> {
  const { settings } = await listSettings(ctx);
  const inForce = new Map(settings.map((setting) => [setting.name, setting]));
  const rows = imported.map(({ name, field, value }) => {
    const now = inForce.get(name);
    return [field, name, `${now?.value ?? '(none)'} (${now?.source})`, settingKinds.isSecret(name) ? masked : value];
  });
  for (const line of printTable(['Field', 'Setting', 'Now', 'There'], rows)) io.print(line);
  const wanted = imported.filter(({ name, value }) => inForce.get(name)?.value !== value);
  if (wanted.length === 0) {
    io.print('\nNothing to take over.');
    return 0;
  }
  if (!isSure && !(await confirms(io, `\nTake over ${wanted.length} of these? [y/N] `))) {
    io.print(`\nNothing was changed.${io.ask === null ? ' Run this again with --yes.' : ''}`);
    return 2;
  }
  let refused = 0;
  for (const { name, value } of wanted) {
    try {
      const { notes } = await changeSetting(ctx, { actor: ctx.actor, name, slot: 'current', value }, never());
      io.print(`done     ${name}${notes.length > 0 ? `. ${notes.map(({ message }) => message).join(' ')}` : ''}`);
    } catch (error) {
      if (!(error instanceof SettingRefused)) throw error;
      refused += 1;
      io.print(`REFUSED  ${error.message}`);
    }
  }
  return refused === 0 ? 0 : 1;
}
