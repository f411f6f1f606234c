import { readFileSync } from 'node:fs';
import { parseOrgId } from '@deskside/shared/orgid';
import { Command, Option } from 'commander';
import { sayWaiting } from '#commands/settings.ts';
import { operator, progressOf, untilInterrupted } from '#commands/terminal.ts';
import { parseConfig } from '#config.ts';
import type { Work } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { withContext } from '#make-context.ts';
import { StartError } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import * as deskList from '#store/desk-list.ts';
import { matchOf, targetOf } from './facts.ts';
import { matchCustomers } from './match.ts';
import { columns, csvLine, matchRows, readTable, TableError, type TableRow, verdicts } from './match-table.ts';
import { type AcceptRow, readPeople } from './people.ts';
import { inSpareBudget, portion, refreshCustomers } from './refresh.ts';
import { type AdoptOutcome, adoptCustomer, undoAdoption } from './write-customer.ts';

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
  return withContext(config, sayWaiting, async (ctx) => {
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

/** What became of a row. `id`: of what can be undone; empty if there is nothing. */
export interface RowResult {
  said: string;
  id: string;
  isFailed: boolean;
}

/**
 * Makes customers the companies that an operator says they are, one after another: adopted at their word, with the company
 * as the CRM has it now, and with the addresses of the column `people` on the desk's list (docs/decisions.md 7), in the place
 * of those accepted before. What stands in the way of one row, or fails, leaves the others alone. Repeatable.
 */
export async function* acceptRows<Row extends AcceptRow>(
  ctx: Work,
  rows: readonly Row[],
  by: string,
): AsyncGenerator<[Row, RowResult]> {
  const people = await readPeople(ctx, rows);
  for (let at = 0; at < rows.length; at += portion) {
    const answers = await Promise.all(
      rows.slice(at, at + portion).map(async (row): Promise<[Row, Lookup | null]> => {
        const orgId = parseOrgId(row['org id']);
        return [row, orgId && (await searchCompany(ctx, orgId, inSpareBudget))];
      }),
    );
    for (const [row, looked] of answers) {
      if (ctx.signal.aborted) return;
      const done = looked === null ? refusalOf(row['org id']) : await acceptOne(row, looked).catch(failureOf);
      // Interrupted in the middle: it is neither done nor refused, and is done by the next run.
      if (ctx.signal.aborted && done.isFailed) return;
      yield [row, done];
    }
  }

  async function acceptOne(row: Row, looked: Lookup): Promise<RowResult> {
    const { addresses = [], fault = null } = people.get(row) ?? {};
    if (fault !== null) return failed(fault);
    if (looked.status === 'error') return failed('the CRM did not answer');
    const match = matchOf(looked);
    if (match === null) return failed('the CRM has no company with this org id');
    const { customer } = row;
    const done = await adoptCustomer(ctx, { customer, match, by, via: 'match', ticket: null });
    if (done.adoption)
      await deskList.listPeople(ctx.db, { ...targetOf(match), customer, by, at: ctx.clock(), people: addresses });
    return rowDone(done);
  }
}

function rowDone({ outcome, adoption, other }: AdoptOutcome): RowResult {
  const said = {
    adopted: 'is the company now',
    already: 'was the company already',
    gone: 'there is no such customer',
    other_identity: `it stands for another company: ${other}`,
    company_has_customer: `it is a twin: the company is the customer ${other} already`,
  };
  return { said: said[outcome], id: adoption?.id ?? '', isFailed: outcome !== 'adopted' && outcome !== 'already' };
}

function refusalOf(orgId: string): RowResult {
  const isNumber = /^\d([.,]\d*)?E\+\d+$/i.test(orgId);
  return failed(
    isNumber
      ? `a spreadsheet has made the number ${orgId} of the org id, and its last digits are lost: take the column in as text`
      : `${orgId} is no org id, which has 1 to 20 digits`,
  );
}

function failed(said: string): RowResult {
  return { said, id: '', isFailed: true };
}

function failureOf(error: unknown): RowResult {
  return failed(`helpdesk or store failed (${reasonOf(error)})`);
}

/** Gives a customer back what it was before it was accepted, as far as that still stands as it was written. Repeatable. */
export async function undoRow(ctx: Work, id: string): Promise<RowResult> {
  const taken = await undoAdoption(ctx, id).catch(failureOf);
  if (taken === null) return failed('nothing was accepted under this id');
  if ('said' in taken) return taken;
  const { adoption, changes } = taken;
  const back = new Set(changes.map(({ field }) => field));
  const left = adoption.changes.flatMap(({ field }) => (back.has(field) ? [] : [field]));
  if (adoption.undoneAt !== null) return { said: 'was given back before', id, isFailed: false };
  if (back.size === 0) return { said: 'left as it is: it does not have this org id any more', id, isFailed: false };
  const but = left.length > 0 ? `, but for what has changed since: ${left.join(', ')}` : '';
  return { said: `was given back what it was${but}`, id, isFailed: false };
}
