import { randomUUID } from 'node:crypto';
import { FieldChange } from '@deskside/shared/enrichment';
import { OrgId } from '@deskside/shared/orgid';
import { RejectionReason } from '@deskside/shared/rejection';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import * as z from 'zod/mini';
import type { CompanyRejections, Rejection } from '#ports/customer/company-rejections.ts';
import type { SyncEntry, SyncLog } from '#ports/customer/sync-log.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';
import { noteTickets } from '#store/tickets/records.ts';

/** The sync log on any database that Kysely supports. */
export function createSyncLog(db: StateDb): SyncLog {
  return {
    async record({ ticket, agent, orgId, crmCompanyId, customer, previousCustomer, sender = null, at }) {
      const id = randomUUID();
      const row = {
        ticket,
        agent,
        org_id: orgId,
        crm_company_id: crmCompanyId,
        customer,
        at,
        sender: sender?.address ?? null,
        sender_domain: sender?.domain ?? null,
      };
      await db.transaction().execute(async (trx) => {
        await noteTickets(trx, [{ ticket, active_at: at, gone: 0 }]).execute();
        await trx
          .insertInto('sync_log')
          .values({ id, ...row, previous_customer: previousCustomer, undone_at: null })
          .execute();
      });
      return id;
    },

    async get(id) {
      const row = await db.selectFrom('sync_log').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : entryOf(row);
    },

    async latest(ticket) {
      const row = await selectLatest(db, ticket).executeTakeFirst();
      return row === undefined ? null : entryOf(row);
    },

    async choicesOf({ address, domain }) {
      const [own, ofDomain] = await Promise.all([
        selectChoices(db, 'sender', address).execute(),
        domain === null ? [] : selectChoices(db, 'sender_domain', domain).execute(),
      ]);
      return [...own, ...ofDomain].map((row) => ({ orgId: OrgId.parse(row.org_id), crmCompanyId: row.crm_company_id }));
    },

    async restore(id) {
      await db.updateTable('sync_log').set({ undone_at: null }).where('id', '=', id).execute();
    },

    async markUndone(id, at) {
      await db
        .updateTable('sync_log')
        .set({ undone_at: at })
        .where('id', '=', id)
        .where('undone_at', 'is', null)
        .execute();
    },
  };
}

/** The latest sync of a ticket that has not been undone. */
function selectLatest(db: StateDb, ticket: string) {
  return db
    .selectFrom('sync_log')
    .selectAll()
    .where('ticket', '=', ticket)
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1);
}

/** As many as order a list that a person looks at. */
const maxChoices = 20;

/** The latest syncs of a sender, or of a domain, that have not been undone. */
function selectChoices(db: StateDb, column: 'sender' | 'sender_domain', value: string) {
  return db
    .selectFrom('sync_log')
    .select(['org_id', 'crm_company_id'])
    .where(column, '=', value)
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(maxChoices);
}

/** What a row says. */
export function entryOf(row: Selectable<StateSchema['sync_log']>): SyncEntry {
  return {
    id: row.id,
    ticket: row.ticket,
    agent: row.agent,
    orgId: OrgId.parse(row.org_id),
    crmCompanyId: row.crm_company_id,
    customer: row.customer,
    previousCustomer: row.previous_customer,
    at: row.at,
    undoneAt: row.undone_at,
  };
}

const Taken = z.object({
  customer: z.nullable(z.string()),
  instead: z.nullable(z.string()),
  changes: z.array(FieldChange),
  sync: z.nullable(z.string()),
  adoption: z.optional(z.nullable(z.string())),
});

/** Rejected companies on any database that Kysely supports. */
export function createCompanyRejections(db: StateDb): CompanyRejections {
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
function selectStanding(db: StateDb, ticket: string, sender: string | null) {
  return db
    .selectFrom('company_rejection')
    .selectAll()
    .where('lifted_at', 'is', null)
    .where(isOf(ticket, sender))
    .orderBy('at', 'desc');
}

function isOf(ticket: string, sender: string | null) {
  // A comparison with null holds for no row.
  return (eb: ExpressionBuilder<StateSchema, 'company_rejection'>): Expression<SqlBool> =>
    eb.or([eb('ticket', '=', ticket), eb('sender', '=', sender)]);
}

function rejectionOf(row: Selectable<StateSchema['company_rejection']>): Rejection {
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
