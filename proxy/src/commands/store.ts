import type { OrgId } from '@deskside/shared/orgid';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parseConfig } from '#config.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { withContext } from '#make-context.ts';
import { StartError } from '#runtime/app-error.ts';
import { backUp, moveStore, restore } from '#store/backup.ts';
import { isPostgres, openRecords } from '#store/database.ts';
import { StoreError } from '#store/engine.ts';
import { type PurgeReport, type PurgeSubject, purgeRecords } from '#store/purge.ts';
import { databaseUrl } from './settings.ts';
import { never, orgIdArgument } from './terminal.ts';

/** `deskside backup`: copies the store while the service runs. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the store into one file, while the service runs')
    .argument('<file>', 'such as /var/backups/deskside.db; an older backup there is replaced')
    .action(async (file: string) => {
      if (isPostgres(databaseUrl())) {
        // The nightly unit runs on every installation; a failed one is for what an operator has to mend.
        console.log('The store is on PostgreSQL: nothing was backed up here. Back it up with pg_dump.');
        return;
      }
      await backUp(databaseUrl(), file, { clock: Date.now });
      console.log(`Backed up into ${file}.`);
    });
}

/** `deskside restore`: puts a backup in the place of the store. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('Put a backup in the place of the store; the service has to be stopped')
    .argument('<file>', 'what "backup" made')
    .action(async (file: string) => {
      await restore(databaseUrl(), file);
      console.log(`Restored from ${file}. Tickets that were routed since then stay as they are.`);
    });
}

/** `deskside migrate`: copies the store into another database. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Copy the store from SQLite into an empty PostgreSQL database; the service has to be stopped')
    .requiredOption('--to <address>', 'where it is to be, such as postgres://deskside@db.example/deskside')
    .addHelpText('after', '\nA password that should not stand in the command may be in PGPASSWORD.')
    .action(async ({ to }: { to: string }) => {
      const rows = await moveStore(databaseUrl(), to);
      console.log(`${rows} rows were copied. Set DATABASE_URL to the new address and start the service.`);
    });
}

interface PurgeOptions {
  email?: string;
  orgId?: OrgId;
  ticket?: string;
  yes?: boolean;
  json?: boolean;
}

/** `deskside purge`: deletes what our own records hold of one person, company or ticket; without `--yes` it only counts. */
export function purgeCommand(): Command {
  return new Command('purge')
    .description("Delete what Deskside's own records hold of one person, company or ticket")
    .addOption(new Option('--email <address>', 'a person').argParser(address).conflicts(['orgId', 'ticket']))
    .addOption(new Option('--org-id <id>', 'a company').argParser(orgIdArgument).conflicts(['email', 'ticket']))
    .addOption(new Option('--ticket <name>', 'a ticket').conflicts(['email', 'orgId']))
    .option('--yes', 'delete; without it, only say what would be deleted')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nThe helpdesk, the CRM, backups and logs are not touched; the report says who has to.')
    .action(async (options: PurgeOptions, command: Command) => {
      const subject = subjectOf(options) ?? command.error('error: give one of --email, --org-id and --ticket');
      if (!(await isThere(databaseUrl()))) throw new StoreError('There is no store yet: nothing is kept of anybody.');
      const purged = await withContext(parseConfig(process.env), (ctx) =>
        purgeRecords(ctx, ctx.helpdesk.whole, subject, !options.yes, never()),
      ).catch((error: unknown) => {
        if (!(error instanceof HelpdeskError)) throw error;
        throw new StartError(`The helpdesk cannot be searched, so nothing was done (${error.message})`);
      });
      const isDone = options.yes === true;
      console.log(options.json ? JSON.stringify({ done: isDone, ...purged }) : reportOf(purged, isDone, subject.kind));
    });
}

/** Whether there is a store, which is not made for the question. */
async function isThere(url: string): Promise<boolean> {
  const db = await openRecords(url);
  await db?.destroy();
  return db !== null;
}

/** The report for people. It does not repeat whose data it was. */
function reportOf({ tickets, deleted, changed }: PurgeReport, isDone: boolean, kind: PurgeSubject['kind']): string {
  const rows = (counts: Record<string, number>) =>
    Object.entries(counts).map(([table, count]) => `  ${table.padEnd(22)} ${count}`);
  const named = tickets.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).slice(0, 50);
  const more = tickets.length - named.length;
  const lines = [
    isDone ? "Deleted from Deskside's records, in rows:" : "Would be deleted from Deskside's records, in rows:",
    ...(Object.keys(deleted).length > 0 ? rows(deleted) : ['  nothing']),
    ...(Object.keys(changed).length > 0
      ? ['Kept without the address, which was an agent there:', ...rows(changed)]
      : []),
    ...(tickets.length > 0
      ? [
          `Tickets whose records go as a whole: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
          'Of each that was routed name and creation stay, so that it is not routed again.',
        ]
      : []),
    '',
    'Not touched, because it is not ours:',
    ...(kind === 'ticket'
      ? [
          '  helpdesk: the ticket itself, its messages, files and Deleted Documents. A System Manager deletes them there.',
        ]
      : [
          '  helpdesk: HD Ticket, Communication, Contact, HD Customer, HD Customer Data, User, account links, files and',
          '    Deleted Documents. A System Manager deletes them there, before or after.',
          '  CRM: company, contacts and users. Whoever runs the CRM deletes them there; otherwise the next look brings',
          '    the company back into the cache for 90 days.',
        ]),
    '  backups of the database, and logs of proxies in front: whoever keeps them.',
    'Proxies that are running forget what they hold in memory within minutes.',
    ...(isDone ? [] : ['', 'Nothing has been deleted. --yes does it.']),
  ];
  return lines.join('\n');
}

function subjectOf({ email, orgId, ticket }: PurgeOptions): PurgeSubject | null {
  if (email !== undefined) return { kind: 'email', value: email };
  if (orgId !== undefined) return { kind: 'org_id', value: orgId };
  return ticket === undefined ? null : { kind: 'ticket', value: ticket };
}

function address(text: string): string {
  if (/^[^\s"\\@<>,]+@[^\s"\\@<>,]+$/.test(text.trim())) return text.trim();
  throw new InvalidArgumentError('Expected an email address.');
}
