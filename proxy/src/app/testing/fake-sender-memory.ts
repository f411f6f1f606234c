import type { SyncEntry } from '#store/senders/sync-log.ts';
import type { Store } from '#store/store.ts';
import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';

/** The sync log of a store in memory. `entries`: all of it, in the order in which it was written. */
export function fakeSyncLog({ syncLog, database }: MemoryStore = memoryStore()) {
  const rows = database.prepare<[], SyncEntry>(
    `select id, ticket, agent, org_id as orgId, crm_company_id as crmCompanyId, customer,
      previous_customer as previousCustomer, at, undone_at as undoneAt from sync_log order by rowid`,
  );
  return {
    ...syncLog,
    get entries() {
      return rows.all();
    },
  };
}

export const fakeRejections = ({ rejections }: MemoryStore = memoryStore()): Store['rejections'] => rejections;
