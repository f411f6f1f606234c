import { randomUUID } from 'node:crypto';
import { AdoptedVia, AdoptionEvidence } from '@deskside/shared/adoption';
import { FieldChange } from '@deskside/shared/enrichment';
import { OrgId } from '@deskside/shared/orgid';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Adoption, CustomerAdoptions } from '#ports/customer/customer-adoptions.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';

/** Adopted customers on any database that Kysely supports. */
export function createCustomerAdoptions(db: StateDb): CustomerAdoptions {
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
function selectAdoptions(db: StateDb, column: 'customer' | 'batch', value: string) {
  return db.selectFrom('customer_adoption').selectAll().where(column, '=', value).orderBy('at', 'desc');
}

/** What a row says. */
export function adoptionOf(row: Selectable<StateSchema['customer_adoption']>): Adoption {
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
