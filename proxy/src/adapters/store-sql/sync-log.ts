import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import type { Kysely, Selectable } from 'kysely';
import type { SyncEntry, SyncLog } from '#ports/customer/sync-log.ts';
import { noteTickets } from './pipeline/memory-statements.ts';
import type { PipelineSchema } from './pipeline/pipeline-schema.ts';

/** The sync log on any database that Kysely supports. */
export function createSyncLog(db: Kysely<PipelineSchema>): SyncLog {
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
export function selectLatest(db: Kysely<PipelineSchema>, ticket: string) {
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
export function selectChoices(db: Kysely<PipelineSchema>, column: 'sender' | 'sender_domain', value: string) {
  return db
    .selectFrom('sync_log')
    .select(['org_id', 'crm_company_id'])
    .where(column, '=', value)
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(maxChoices);
}

/** What a row says. */
export function entryOf(row: Selectable<PipelineSchema['sync_log']>): SyncEntry {
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
