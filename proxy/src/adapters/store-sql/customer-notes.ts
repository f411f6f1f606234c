import { randomUUID } from 'node:crypto';
import { AdoptedVia, AdoptionEvidence } from '@deskside/shared/adoption';
import { FieldChange } from '@deskside/shared/enrichment';
import { CustomerMatch } from '@deskside/shared/operator/customers';
import { OrgId } from '@deskside/shared/orgid';
import type { Kysely, Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { PipelineSchema } from '#adapters/store-sql/pipeline/pipeline-schema.ts';
import type { Adoption, CustomerAdoptions } from '#ports/customer/customer-adoptions.ts';
import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { CustomerMatches } from '#ports/customer/customer-matches.ts';
import type { MendableFacts, WrittenFacts } from '#ports/customer/written-facts.ts';

/** Adopted customers on any database that Kysely supports. */
export function createCustomerAdoptions(db: Kysely<PipelineSchema>): CustomerAdoptions {
  return {
    async record({ customer, orgId, crmCompanyId, companyName, by, via, ticket, batch, evidence, changes, at }) {
      const id = randomUUID();
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('customer_adoption')
          .where('customer', '=', customer)
          .where('org_id', '=', orgId)
          .where('undone_at', 'is', null)
          .execute();
        await trx
          .insertInto('customer_adoption')
          .values({
            id,
            customer,
            org_id: orgId,
            crm_company_id: crmCompanyId,
            company_name: companyName,
            by_user: by,
            via,
            ticket,
            batch,
            at,
            undone_at: null,
            evidence: JSON.stringify(evidence),
            changes: JSON.stringify(changes),
          })
          .execute();
      });
      return id;
    },

    async get(id) {
      const row = await db.selectFrom('customer_adoption').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : adoptionOf(row);
    },

    async ofCustomer(customer) {
      return (await selectAdoptions(db, 'customer', customer).execute()).map(adoptionOf);
    },

    async standing(customer, orgId) {
      const own = selectAdoptions(db, 'customer', customer);
      const row = await own.where('org_id', '=', orgId).where('undone_at', 'is', null).limit(1).executeTakeFirst();
      return row === undefined ? null : adoptionOf(row);
    },

    async ofBatch(batch) {
      return (await selectAdoptions(db, 'batch', batch).execute()).map(adoptionOf);
    },

    async accepted() {
      const rows = await db
        .selectFrom('customer_adoption')
        .selectAll()
        .where('via', '=', 'match')
        .where('undone_at', 'is', null)
        .orderBy('at', 'desc')
        .execute();
      return rows.map(adoptionOf);
    },

    async takenBack() {
      const rows = await db
        .selectFrom('customer_adoption')
        .select(['customer', 'org_id'])
        .where('undone_at', 'is not', null)
        .execute();
      return rows.map(({ customer, org_id }) => ({ customer, orgId: OrgId.parse(org_id) }));
    },

    async markUndone(id, at) {
      await db
        .updateTable('customer_adoption')
        .set({ undone_at: at })
        .where('id', '=', id)
        .where('undone_at', 'is', null)
        .execute();
    },

    async restore(id) {
      await db.updateTable('customer_adoption').set({ undone_at: null }).where('id', '=', id).execute();
    },
  };
}

/** Newest first. */
export function selectAdoptions(db: Kysely<PipelineSchema>, column: 'customer' | 'batch', value: string) {
  return db.selectFrom('customer_adoption').selectAll().where(column, '=', value).orderBy('at', 'desc');
}

/** What a row says. */
export function adoptionOf(row: Selectable<PipelineSchema['customer_adoption']>): Adoption {
  return {
    id: row.id,
    customer: row.customer,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    companyName: row.company_name,
    by: row.by_user,
    via: AdoptedVia.parse(row.via),
    ticket: row.ticket,
    batch: row.batch,
    evidence: AdoptionEvidence.parse(JSON.parse(row.evidence)),
    changes: z.array(FieldChange).parse(JSON.parse(row.changes)),
    at: row.at,
    undoneAt: row.undone_at,
  };
}

/** The customers' bindings on any database that Kysely supports. */
export function createCustomerBindings(db: Kysely<PipelineSchema>): CustomerBindings {
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

/** The matches on any database that Kysely supports. */
export function createCustomerMatches(db: Kysely<PipelineSchema>): CustomerMatches {
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

const Facts = z.object({
  myplatform: z.optional(z.string()),
  crmCompanyUrl: z.optional(z.string()),
  matchConfidence: z.optional(z.number()),
  segment: z.optional(z.string()),
  shopPlan: z.optional(z.string()),
}) satisfies z.ZodMiniType<MendableFacts>;

/** What was written to customers, on any database that Kysely supports. */
export function createWrittenFacts(db: Kysely<PipelineSchema>): WrittenFacts {
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
