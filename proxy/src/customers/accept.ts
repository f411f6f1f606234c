import { parseOrgId } from '@deskside/shared/orgid';
import type { Work } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import { reasonOf } from '#runtime/jobs.ts';
import * as deskList from '#store/desk-list.ts';
import { matchOf, targetOf } from './facts.ts';
import { type AcceptRow, readPeople } from './people.ts';
import { inSpareBudget, portion } from './refresh.ts';
import { type AdoptOutcome, adoptCustomer, undoAdoption } from './write-customer.ts';

/** What became of a row. `id`: of what can be undone; empty if there is nothing. */
export interface RowResult {
  said: string;
  id: string;
  isFailed: boolean;
}

/**
 * Makes customers the companies that an operator says they are, one after another: adopted at their word, with the company
 * as the CRM has it now, and with the addresses of the column `people` on the desk's list (decision 7: who vouches), in the place
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
