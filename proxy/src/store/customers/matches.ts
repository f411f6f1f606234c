import { CustomerMatch } from '@deskside/shared/operator/customers';
import type { CustomerMatches } from '#ports/customer/customer-matches.ts';
import type { StateDb } from '#store/schema.ts';

/** The matches on any database that Kysely supports. */
export function createCustomerMatches(db: StateDb): CustomerMatches {
  return {
    async keep(matches) {
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
          conflict
            .column('customer')
            .doUpdateSet(({ ref }) => ({ match: ref('excluded.match'), at: ref('excluded.at') })),
        )
        .execute();
    },

    async get(customer) {
      const row = await db
        .selectFrom('customer_match')
        .select('match')
        .where('customer', '=', customer)
        .executeTakeFirst();
      return row === undefined ? null : CustomerMatch.parse(JSON.parse(row.match));
    },

    async list() {
      const rows = await db.selectFrom('customer_match').select('match').orderBy('customer').execute();
      return rows.map(({ match }) => CustomerMatch.parse(JSON.parse(match)));
    },

    async forgetBefore(moment) {
      await db.deleteFrom('customer_match').where('at', '<', moment).execute();
    },
  };
}
