import type { Kysely } from 'kysely';
import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { PipelineSchema } from './pipeline/pipeline-schema.ts';

/** The customers' bindings on any database that Kysely supports. */
export function createCustomerBindings(db: Kysely<PipelineSchema>): CustomerBindings {
  return {
    async record(customer, orgId, at) {
      await db
        .insertInto('customer_binding')
        .values({ customer, org_id: orgId, at })
        .onConflict((conflict) => conflict.columns(['org_id', 'customer']).doNothing())
        .execute();
    },

    async remove(customer, orgId) {
      await db.deleteFrom('customer_binding').where('org_id', '=', orgId).where('customer', '=', customer).execute();
    },

    async customersOf(orgId) {
      const rows = await db.selectFrom('customer_binding').select('customer').where('org_id', '=', orgId).execute();
      return new Set(rows.map(({ customer }) => customer));
    },
  };
}
