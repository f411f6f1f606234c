import type { CustomerMatches as Listed } from '@deskside/shared/customer-matches';
import type { Context } from '#app/context.ts';
import { withoutRivals, withoutTakenBack } from '#domain/customer/match-customer.ts';

export type ListMatchesNeeds = Pick<Context, 'matches' | 'adoptions' | 'upkeep'>;

/** What the last look found of the customers made by hand, and what operators have accepted. Throws if the store fails. */
export async function listMatches({ matches, adoptions, upkeep }: ListMatchesNeeds): Promise<Listed> {
  const [found, accepted, undone, run] = await Promise.all([
    matches.list(),
    adoptions.accepted(),
    adoptions.takenBack(),
    upkeep.lastMatching(),
  ]);
  const settled = new Set(accepted.map(({ customer }) => customer));
  return {
    has_crm: true,
    run: run && {
      begun_at: new Date(run.begunAt).toISOString(),
      is_done: run.after === null,
      done: run.done,
      total: run.total,
      failed: run.failed,
    },
    matches: withoutTakenBack(withoutRivals(found), undone).filter(({ customer }) => !settled.has(customer)),
    accepted: accepted.map(({ id, customer, orgId, companyName, by, batch, at }) => ({
      id,
      customer,
      org_id: orgId,
      company_name: companyName,
      by,
      batch,
      at: new Date(at).toISOString(),
    })),
  };
}
