import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { StateDb } from '#store/schema.ts';

/** The customers' bindings on any database that Kysely supports. */
export function createCustomerBindings(db: StateDb): CustomerBindings {
  return {
    async record(customer, orgId, at, { onClaim }) {
      await db
        .insertInto('customer_binding')
        .values({ customer, org_id: orgId, at, on_claim: onClaim ? 1 : 0 })
        .onConflict((conflict) => conflict.columns(['org_id', 'customer']).doNothing())
        .execute();
    },

    async confirm(customer, orgId) {
      await db
        .updateTable('customer_binding')
        .set({ on_claim: 0 })
        .where('org_id', '=', orgId)
        .where('customer', '=', customer)
        .where('on_claim', '=', 1)
        .execute();
    },

    async remove(customer, orgId) {
      await db.deleteFrom('customer_binding').where('org_id', '=', orgId).where('customer', '=', customer).execute();
    },

    async customersOf(orgId) {
      const rows = await db
        .selectFrom('customer_binding')
        .select(['customer', 'on_claim'])
        .where('org_id', '=', orgId)
        .execute();
      return new Map(rows.map(({ customer, on_claim }) => [customer, { onClaim: on_claim === 1 }]));
    },
  };
}
