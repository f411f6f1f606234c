import { CustomerMatch } from '@deskside/shared/customer-matches';
import type { StateDb } from '#store/schema.ts';

// Which company each customer made by hand seems to be, for an operator to look at (docs/decisions.md 42).

/** Each in place of the customer's former one. */
export async function keep(db: StateDb, matches: readonly CustomerMatch[]): Promise<void> {
  if (matches.length === 0) return;
  const rows = matches.map((match) => ({
    customer: match.customer,
    match: JSON.stringify(match),
    at: Date.parse(match.at),
  }));
  await db
    .insertInto('customer_match')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('customer').doUpdateSet(({ ref }) => ({ match: ref('excluded.match'), at: ref('excluded.at') })),
    )
    .execute();
}

export async function get(db: StateDb, customer: string): Promise<CustomerMatch | null> {
  const row = await db.selectFrom('customer_match').select('match').where('customer', '=', customer).executeTakeFirst();
  return row === undefined ? null : CustomerMatch.parse(JSON.parse(row.match));
}

/** In the order of the customers' names. */
export async function list(db: StateDb): Promise<CustomerMatch[]> {
  const rows = await db.selectFrom('customer_match').select('match').orderBy('customer').execute();
  return rows.map(({ match }) => CustomerMatch.parse(JSON.parse(match)));
}

/** Deletes those that were judged before the moment (epoch milliseconds). */
export async function forgetBefore(db: StateDb, moment: number): Promise<void> {
  await db.deleteFrom('customer_match').where('at', '<', moment).execute();
}
