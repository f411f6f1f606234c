import { randomUUID } from 'node:crypto';
import { FieldChange } from '@deskside/shared/enrichment';
import { OrgId } from '@deskside/shared/orgid';
import { RejectionReason } from '@deskside/shared/rejection';
import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely';
import * as z from 'zod/mini';
import type { CompanyRejections, Rejection } from '#ports/customer/company-rejections.ts';
import { noteTickets } from './pipeline/memory-statements.ts';
import type { PipelineSchema } from './pipeline/pipeline-schema.ts';

const Taken = z.object({
  customer: z.nullable(z.string()),
  instead: z.nullable(z.string()),
  changes: z.array(FieldChange),
  sync: z.nullable(z.string()),
  adoption: z.optional(z.nullable(z.string())),
});

/** Rejected companies on any database that Kysely supports. */
export function createCompanyRejections(db: Kysely<PipelineSchema>): CompanyRejections {
  return {
    async record({ ticket, sender, orgId, crmCompanyId, companyName, agent, reason, at }) {
      const id = randomUUID();
      const company = { org_id: orgId, crm_company_id: crmCompanyId, company_name: companyName };
      await db.transaction().execute(async (trx) => {
        await noteTickets(trx, [{ ticket, active_at: at, gone: 0 }]).execute();
        await trx
          .insertInto('company_rejection')
          .values({
            id,
            ticket,
            sender,
            agent,
            at,
            ...company,
            reason: JSON.stringify(reason),
            taken: null,
            lifted_at: null,
            lifted_by: null,
          })
          .execute();
      });
      return id;
    },

    async get(id) {
      const row = await db.selectFrom('company_rejection').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : rejectionOf(row);
    },

    async standing({ ticket, sender }) {
      return (await selectStanding(db, ticket, sender).execute()).map(rejectionOf);
    },

    async noteTaken(id, taken) {
      await db
        .updateTable('company_rejection')
        .set({ taken: JSON.stringify(taken) })
        .where('id', '=', id)
        .execute();
    },

    async lift({ ticket, sender, orgId, crmCompanyId }, by, at) {
      await db
        .updateTable('company_rejection')
        .set({ lifted_at: at, lifted_by: by })
        .where('lifted_at', 'is', null)
        .where(isOf(ticket, sender))
        .where((eb) => eb.or([eb('org_id', '=', orgId), eb('crm_company_id', '=', crmCompanyId)]))
        .execute();
    },

    async restore(by) {
      await db
        .updateTable('company_rejection')
        .set({ lifted_at: null, lifted_by: null })
        .where('lifted_by', '=', by)
        .execute();
    },
  };
}

/** Every judgement of a ticket asks for it. */
export function selectStanding(db: Kysely<PipelineSchema>, ticket: string, sender: string | null) {
  return db
    .selectFrom('company_rejection')
    .selectAll()
    .where('lifted_at', 'is', null)
    .where(isOf(ticket, sender))
    .orderBy('at', 'desc');
}

function isOf(ticket: string, sender: string | null) {
  // A comparison with null holds for no row.
  return (eb: ExpressionBuilder<PipelineSchema, 'company_rejection'>): Expression<SqlBool> =>
    eb.or([eb('ticket', '=', ticket), eb('sender', '=', sender)]);
}

function rejectionOf(row: Selectable<PipelineSchema['company_rejection']>): Rejection {
  return {
    id: row.id,
    ticket: row.ticket,
    sender: row.sender,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    companyName: row.company_name,
    agent: row.agent,
    reason: RejectionReason.parse(JSON.parse(row.reason)),
    taken: row.taken === null ? null : Taken.parse(JSON.parse(row.taken)),
    at: row.at,
    liftedAt: row.lifted_at,
  };
}
