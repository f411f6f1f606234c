import { afterAll, beforeAll } from 'vitest';
import type { Clock } from '#runtime/memory.ts';
import type { Store } from './database.ts';
import { describeBacklog, describeDecisions } from './decisions.contract.ts';
import { describeLeases } from './leases.contract.ts';
import { describeProfileCache } from './profile-cache.contract.ts';
import { describeCompanyRejections } from './rejections.contract.ts';
import { describeCustomerAdoptions, describeDeskList, describeSyncLog } from './syncs.contract.ts';
import { describeInbox, describeInserts, describeTicketsInUse } from './tickets.contract.ts';

/** Tests of what every engine promises, but for the purge. `open` opens the same store each time, which is new at first. */
export function describeStore(open: (clock?: Clock) => Promise<Store>): void {
  let stores: Store[] = [];
  beforeAll(async () => {
    stores = [await open(), await open()];
  });
  afterAll(() => Promise.all(stores.map((store) => store.close())));
  const storeOf = (which: number) => stores[which] as Store;

  describeProfileCache(() => storeOf(0).db);
  describeLeases(open);
  describeSyncLog(() => storeOf(0).db);
  describeDeskList(() => storeOf(0).db);
  describeCompanyRejections(() => storeOf(0).db);
  describeCustomerAdoptions(() => storeOf(0).db);
  describeInbox((which) => storeOf(which).db);
  describeInserts(() => storeOf(0).db);
  describeDecisions((which) => storeOf(which).db);
  describeBacklog(() => storeOf(0).db);
  describeTicketsInUse((which) => storeOf(which).db);
}
