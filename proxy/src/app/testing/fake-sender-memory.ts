import type { CompanyRejections } from '#ports/customer/company-rejections.ts';
import type { SyncLog } from '#ports/customer/sync-log.ts';
import { entryOf } from '#store/senders/sync-log.ts';
import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';

/** The sync log of a store in memory. `entries`: all of it, in the order in which it was written. */
export function fakeSyncLog({ syncLog, database }: MemoryStore = memoryStore()) {
  type Row = Parameters<typeof entryOf>[0];
  const rows = database.prepare<[], Row>('select * from sync_log order by rowid');
  return {
    ...syncLog,
    get entries() {
      return rows.all().map(entryOf);
    },
  } satisfies SyncLog & object;
}

export const fakeRejections = ({ rejections }: MemoryStore = memoryStore()): CompanyRejections => rejections;
