import * as z from 'zod/mini';
import type { CustomerFacts } from '#ports/helpdesk/helpdesk-records.ts';
import type { StateDb } from '#store/schema.ts';

// What this service itself last wrote to each customer, so that a value that a person has corrected can be told from one
// that is merely out of date (docs/decisions.md 15). Survives `kill -9`.

/** Facts of which it matters whether a person has corrected them since. */
export type MendableFacts = Pick<
  CustomerFacts,
  'myplatform' | 'crmCompanyUrl' | 'matchConfidence' | 'segment' | 'shopPlan'
>;

const Facts = z.object({
  myplatform: z.optional(z.string()),
  crmCompanyUrl: z.optional(z.string()),
  matchConfidence: z.optional(z.number()),
  segment: z.optional(z.string()),
  shopPlan: z.optional(z.string()),
}) satisfies z.ZodMiniType<MendableFacts>;

/** Empty if nothing was ever written. */
export async function of(db: StateDb, customer: string): Promise<MendableFacts> {
  const row = await db
    .selectFrom('customer_written')
    .select('facts')
    .where('customer', '=', customer)
    .executeTakeFirst();
  return row === undefined ? {} : Facts.parse(JSON.parse(row.facts));
}

/** Replaces these facts and keeps the others. One writer at a time per customer. `at` in epoch milliseconds. */
export async function record(db: StateDb, customer: string, written: MendableFacts, at: number): Promise<void> {
  const facts = JSON.stringify({ ...(await of(db, customer)), ...written });
  await db
    .insertInto('customer_written')
    .values({ customer, facts, at })
    .onConflict((conflict) => conflict.column('customer').doUpdateSet({ facts, at }))
    .execute();
}
