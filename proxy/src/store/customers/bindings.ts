import type { OrgId } from '@deskside/shared/orgid';
import type { StateDb } from '#store/schema.ts';

// Which customers this service itself has given their org id: our own record, which counts where a website user could
// have written the helpdesk's (docs/decisions.md 9). Survives `kill -9`.

/** `onClaim`: nobody but the sender of a ticket vouched for the org id, so the binding vouches for nobody either. */
interface CustomerBinding {
  onClaim: boolean;
}

/** `at` in epoch milliseconds. Repeatable: the first binding of a customer to an org id stays as it is. */
export async function record(
  db: StateDb,
  customer: string,
  orgId: OrgId,
  at: number,
  { onClaim }: CustomerBinding,
): Promise<void> {
  await db
    .insertInto('customer_binding')
    .values({ customer, org_id: orgId, at, on_claim: onClaim ? 1 : 0 })
    .onConflict((conflict) => conflict.columns(['org_id', 'customer']).doNothing())
    .execute();
}

/** If there is a binding, it is no longer one on a claim. */
export async function confirm(db: StateDb, customer: string, orgId: OrgId): Promise<void> {
  await db
    .updateTable('customer_binding')
    .set({ on_claim: 0 })
    .where('org_id', '=', orgId)
    .where('customer', '=', customer)
    .where('on_claim', '=', 1)
    .execute();
}

/** The customer is not this company after all. Repeatable. */
export async function remove(db: StateDb, customer: string, orgId: OrgId): Promise<void> {
  await db.deleteFrom('customer_binding').where('org_id', '=', orgId).where('customer', '=', customer).execute();
}

/** The customers that were given this org id, by name. */
export async function customersOf(db: StateDb, orgId: OrgId): Promise<ReadonlyMap<string, CustomerBinding>> {
  const rows = await db
    .selectFrom('customer_binding')
    .select(['customer', 'on_claim'])
    .where('org_id', '=', orgId)
    .execute();
  return new Map(rows.map(({ customer, on_claim }) => [customer, { onClaim: on_claim === 1 }]));
}
