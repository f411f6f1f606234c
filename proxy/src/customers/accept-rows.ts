import { parseOrgId } from '@deskside/shared/orgid';
import { CsvError, parse } from 'csv-parse/sync';
import type { Context } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import { reasonOf } from '#runtime/jobs.ts';
import { type AdoptOutcome, adoptCustomer, undoAdoption } from './adopt.ts';
import { portion } from './refresh-customers.ts';

/** What became of a row. `id`: of what can be undone; empty if there is nothing. */
export interface RowDone {
  said: string;
  id: string;
  isFailed: boolean;
}

interface AcceptRow {
  customer: string;
  'org id': string;
}

/**
 * Makes customers the companies that an operator says they are, one after another: adopted at their word, with the company
 * as the CRM has it now. What stands in the way of one row, or fails, leaves the others alone. Repeatable.
 */
export async function* acceptRows<Row extends AcceptRow>(
  ctx: Context,
  rows: readonly Row[],
  by: string,
  signal: AbortSignal,
): AsyncGenerator<[Row, RowDone]> {
  for (let at = 0; at < rows.length; at += portion) {
    const answers = await Promise.all(
      rows.slice(at, at + portion).map(async (row): Promise<[Row, Lookup | null]> => {
        const orgId = parseOrgId(row['org id']);
        return [row, orgId && (await searchCompany(ctx, orgId, { refresh: false, lane: 'backfill' }))];
      }),
    );
    for (const [row, looked] of answers) {
      if (signal.aborted) return;
      const done = looked === null ? refusalOf(row['org id']) : await accept(row.customer, looked).catch(failureOf);
      // Interrupted in the middle: it is neither done nor refused, and is done by the next run.
      if (signal.aborted && done.isFailed) return;
      yield [row, done];
    }
  }

  async function accept(customer: string, looked: Lookup): Promise<RowDone> {
    const { value: orgId, status, companies, checkedAt } = looked;
    const [company] = companies;
    if (status === 'error') return failed('the CRM did not answer');
    if (company === undefined || checkedAt === null) return failed('the CRM has no company with this org id');
    const match = { orgId, company, checkedAt, platformHost: ctx.platformHost };
    return rowDone(await adoptCustomer(ctx, { customer, match, by, via: 'match', ticket: null }, signal));
  }
}

function rowDone(done: AdoptOutcome): RowDone {
  switch (done.outcome) {
    case 'adopted':
      return { said: 'is the company now', id: done.adoption.id, isFailed: false };
    case 'already':
      return { said: 'was the company already', id: '', isFailed: false };
    case 'gone':
      return failed('there is no such customer');
    case 'other_identity':
      return failed(`it stands for another company${done.conflict ? `: ${done.conflict.found}` : ''}`);
    case 'company_has_customer':
      return failed(`it is a twin: the company is the customer ${done.customer} already`);
  }
}

function refusalOf(orgId: string): RowDone {
  const isNumber = /^\d([.,]\d*)?E\+\d+$/i.test(orgId);
  return failed(
    isNumber
      ? `a spreadsheet has made the number ${orgId} of the org id, and its last digits are lost: take the column in as text`
      : `${orgId} is no org id, which has 1 to 20 digits`,
  );
}

function failed(said: string): RowDone {
  return { said, id: '', isFailed: true };
}

function failureOf(error: unknown): RowDone {
  return failed(`helpdesk or store failed (${reasonOf(error)})`);
}

/** Gives a customer back what it was before it was accepted, as far as that still stands as it was written. Repeatable. */
export async function undoRow(ctx: Context, id: string, signal: AbortSignal): Promise<RowDone> {
  const taken = await undoAdoption(ctx, id, signal).catch(failureOf);
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

/** A file that cannot be read as the table that it should be; the message is for the operator. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** A spreadsheet calculates cells that begin with one of these. */
const formula = /^(?='*[=+\-@])/;

/** A line of CSV: every cell quoted, none that a spreadsheet calculates or a terminal acts upon. */
export function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) =>
    cell
      .replace(/\p{Cc}/gu, ' ')
      .replace(formula, "'")
      .replaceAll('"', '""'),
  );
  return `"${written.join('","')}"`;
}

/** `row`: its number as a spreadsheet counts. */
export type TableRow<Column extends string> = Record<Column, string> & { row: number };

/**
 * The rows of a table as `csvLine` wrote it, or a spreadsheet since: with or without byte order mark, with commas or
 * semicolons, empty rows left out. Throws TableError if it is none, or lacks one of the columns.
 */
export function readTable<Column extends string>(bytes: Uint8Array, columns: readonly Column[]): TableRow<Column>[] {
  const [first = [], ...rows] = cellsOf(bytes);
  const head = first.map((cell) => cell.trim());
  const missing = columns.filter((column) => !head.includes(column));
  if (missing.length > 0) throw new TableError(`it has no column "${missing.join('", "')}" in its first row.`);
  const cell = (cells: readonly string[], column: Column) => (cells[head.indexOf(column)] ?? '').trim();
  return rows.flatMap((cells, at) => {
    const values = columns.map((column) => [column, cell(cells, column).replace(/^'(?='*[=+\-@])/, '')]);
    return cells.every((one) => one.trim() === '') ? [] : [{ ...Object.fromEntries(values), row: at + 2 }];
  });
}

function cellsOf(bytes: Uint8Array): string[][] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // No name of a column has one in it.
    const delimiter = /^[^\r\n]*;/.test(text) ? ';' : ',';
    return parse(text, { delimiter, relaxColumnCount: true, relaxQuotes: true });
  } catch (error) {
    if (error instanceof CsvError) throw new TableError(`it is no CSV: ${error.message}.`);
    if (error instanceof TypeError) throw new TableError('it is not UTF-8: save it as "CSV UTF-8".');
    throw error;
  }
}
