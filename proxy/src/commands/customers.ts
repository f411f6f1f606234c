import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { parseConfig } from '#config.ts';
import type { Work } from '#context.ts';
import { acceptRows, type RowResult, undoRow } from '#customers/accept.ts';
import { matchCustomers } from '#customers/match.ts';
import { columns, csvLine, matchRows, readTable, TableError, type TableRow, verdicts } from '#customers/match-table.ts';
import { refreshCustomers } from '#customers/refresh.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { withContext } from '#make-context.ts';
import { StartError } from '#runtime/app-error.ts';
import { operator, progressOf, untilInterrupted } from './terminal.ts';

/** `deskside customers`: which companies the customers are that people made by hand (docs/operate.md#customers-made-by-hand). */
export function customersCommand(): Command {
  const customers = new Command('customers')
    .description('Find the companies of customers made by hand, and keep companies up to date')
    .addHelpText(
      'after',
      '\nExits with 0 if all is done, with 1 if something failed, with 2 if it was called wrongly.',
    );
  customers
    .command('match')
    .description('Print the companies of all customers without org id, and twins, as CSV; changes nothing')
    .action(match);
  customers
    .command('accept')
    .description('Make customers the companies of a table that "match" printed; prints a table for "undo"')
    .argument('<file>', 'the table, as a spreadsheet may have saved it')
    .addOption(new Option('--only <verdict>', 'only rows with this verdict').choices(['certain']))
    .action(accept);
  customers
    .command('undo')
    .description('Give the customers of a table that "accept" printed back what they were')
    .argument('<file>', 'the table')
    .action(undo);
  customers
    .command('refresh')
    .description('Bring all customers with an org id up to date with the CRM, in its spare budget')
    .action(refresh);
  return customers;
}

const crmIsAway = 'The CRM does not answer ("deskside doctor" says why); run it again.';
const interrupted = 'Interrupted; run it again.';

function match(): Promise<void> {
  return withCrm(async (ctx) => {
    const progress = progressOf('Customers');
    const found = await matchCustomers(ctx, progress.show).finally(progress.end);
    if (found === null) throw new StartError(ctx.signal.aborted ? interrupted : crmIsAway);
    const rows = matchRows(found);
    printHead(...columns);
    for (const row of rows) console.log(csvLine(columns.map((column) => row[column])));
    const count = (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
    console.error(`${verdicts.map((verdict) => `${count(verdict)} ${verdict}`).join(', ')}.`);
    const unanswered = found.matches.filter(({ isAnswered }) => !isAnswered).length;
    if (unanswered > 0) fail(`The CRM did not answer about ${unanswered} of ${found.matches.length}; run it again.`);
  });
}

function accept(file: string, { only }: { only?: string }, command: Command): Promise<void> {
  const rows = readRows(file, ['customer', 'people', 'org id', 'verdict'], command).filter(
    ({ 'org id': orgId, verdict }) => orgId !== '' && verdict !== 'twin' && (only ?? verdict) === verdict,
  );
  return withCrm(async (ctx) => {
    printHead(...doneColumns);
    for await (const [row, done] of acceptRows(ctx, rows, operator().name)) printDone(row, done);
    if (ctx.signal.aborted) fail(interrupted);
  });
}

function undo(file: string, _: unknown, command: Command): Promise<void> {
  const rows = readRows(file, ['customer', 'org id', 'id'], command).filter(({ id }) => id !== '');
  return withCrm(async (ctx) => {
    printHead(...doneColumns);
    for (const row of rows) {
      if (ctx.signal.aborted) return fail(interrupted);
      printDone(row, await undoRow(ctx, row.id));
    }
  });
}

function refresh(): Promise<void> {
  return withCrm(async (ctx) => {
    const progress = progressOf('Customers');
    const done = await refreshCustomers(ctx, progress.show).finally(progress.end);
    console.log(`${done.updated} updated, ${done.unchanged} unchanged, ${done.notFound} not found in the CRM.`);
    for (const [reason, count] of Object.entries(done.failed)) fail(`${count} failed: ${reason}.`);
    if (done.ended !== 'done') fail(done.ended === 'stopped' ? interrupted : crmIsAway);
  });
}

/**
 * A command's work with helpdesk and CRM, until the operator interrupts it. Throws StartError with one sentence if there is
 * no CRM, or if the helpdesk fails; ConfigError; StoreError.
 */
async function withCrm<T>(work: (ctx: Work) => Promise<T>): Promise<T> {
  const config = parseConfig(process.env);
  const signal = untilInterrupted();
  return withContext(config, async (ctx) => {
    if (!ctx.crmEnabled || ctx.crm === null)
      throw new StartError('There is no CRM to ask: set CRM_WEBHOOK_URL, and CRM_ENABLED to 1.');
    return work({ ...ctx, signal });
  }).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    throw new StartError(`The helpdesk failed (${error.message})`);
  });
}

function readRows<Column extends string>(file: string, columns: Column[], command: Command): TableRow<Column>[] {
  try {
    return readTable(readFileSync(file), columns);
  } catch (error) {
    if (!(error instanceof TableError || (error instanceof Error && 'code' in error))) throw error;
    const code = 'code' in error ? error.code : null;
    const why = code === 'ENOENT' ? 'there is no such file.' : code === 'EISDIR' ? 'it is a folder.' : error.message;
    return command.error(`error: ${file} cannot be used: ${why}`);
  }
}

/** Begins with a byte order mark: some spreadsheets take nothing else for UTF-8. */
function printHead(...columns: string[]): void {
  console.log(`\uFEFF${csvLine(columns)}`);
}

const doneColumns = ['customer', 'org id', 'what became of it', 'id'];

function printDone(row: TableRow<'customer' | 'org id'>, { said, id, isFailed }: RowResult): void {
  console.log(csvLine([row.customer, row['org id'], said, id]));
  if (isFailed) fail(`Row ${row.row}, ${row.customer}: ${said}.`);
}

function fail(sentence: string): void {
  console.error(sentence.replace(/\p{Cc}/gu, ' '));
  process.exitCode = 1;
}
