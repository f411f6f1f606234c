import type { MatchNeeds } from './match-customers.ts';

/** Has a look begin at whichever process does so (`matchCustomers`), unless one is under way. Throws if the store fails. */
export async function beginMatching({ upkeep, clock }: Pick<MatchNeeds, 'upkeep' | 'clock'>): Promise<void> {
  if ((await upkeep.lastMatching())?.after) return;
  await upkeep.noteMatching({ begunAt: clock(), after: { creation: '', name: '' }, done: 0, total: 0, failed: 0 });
}
