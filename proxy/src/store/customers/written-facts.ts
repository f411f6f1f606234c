import * as z from 'zod/mini';
import type { MendableFacts, WrittenFacts } from '#ports/customer/written-facts.ts';
import type { StateDb } from '#store/schema.ts';

const Facts = z.object({
  myplatform: z.optional(z.string()),
  crmCompanyUrl: z.optional(z.string()),
  matchConfidence: z.optional(z.number()),
  segment: z.optional(z.string()),
  shopPlan: z.optional(z.string()),
}) satisfies z.ZodMiniType<MendableFacts>;

/** What was written to customers, on any database that Kysely supports. */
export function createWrittenFacts(db: StateDb): WrittenFacts {
  async function of(customer: string): Promise<MendableFacts> {
    const row = await db
      .selectFrom('customer_written')
      .select('facts')
      .where('customer', '=', customer)
      .executeTakeFirst();
    return row === undefined ? {} : Facts.parse(JSON.parse(row.facts));
  }

  return {
    of,

    async record(customer, written, at) {
      const facts = JSON.stringify({ ...(await of(customer)), ...written });
      await db
        .insertInto('customer_written')
        .values({ customer, facts, at })
        .onConflict((conflict) => conflict.column('customer').doUpdateSet({ facts, at }))
        .execute();
    },
  };
}
