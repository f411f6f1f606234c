import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import type { Kysely, Selectable } from 'kysely';
import type { SyncEntry, SyncLog } from '#ports/sync-log.ts';

/** Times are epoch milliseconds. */
export interface SyncLogSchema {
  sync_log: {
    id: string;
    ticket: string;
    agent: string;
    org_id: string;
    crm_company_id: string;
    customer: string;
    previous_customer: string | null;
    at: number;
    undone_at: number | null;
  };
}

/** The sync log on any database that Kysely supports. */
export function createSyncLog(db: Kysely<SyncLogSchema>): SyncLog {
  return {
    async record({ ticket, agent, orgId, crmCompanyId, customer, previousCustomer, at }) {
      const id = randomUUID();
      const row = { ticket, agent, org_id: orgId, crm_company_id: crmCompanyId, customer, at };
      await db
        .insertInto('sync_log')
        .values({ id, ...row, previous_customer: previousCustomer, undone_at: null })
        .execute();
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
export function selectLatest(db: Kysely<SyncLogSchema>, ticket: string) {
  return db
    .selectFrom('sync_log')
    .selectAll()
    .where('ticket', '=', ticket)
    .where('undone_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1);
}

function entryOf(row: Selectable<SyncLogSchema['sync_log']>): SyncEntry {
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
