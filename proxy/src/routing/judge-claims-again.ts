import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import * as decisions from '#store/decisions.ts';
import type { TicketKey } from '#store/schema.ts';
import * as tickets from '#store/tickets.ts';
import { isOpenClaim } from './claims.ts';

/**
 * Sends a ticket that was decided on a claim through the pipeline again at once, because a Sync, or a profile with a
 * different judgement, may vouch for it (docs/decisions.md 10). Another ticket is left alone.
 */
export async function judgeClaimAgain({ db, clock }: Context, ticket: TicketKey): Promise<void> {
  const latest = await decisions.latest(db, ticket);
  if (latest !== null && isOpenClaim(latest)) await tickets.enqueue(db, [ticket], { dueAt: clock(), now: clock() });
}

/** The same for all tickets with a claim to these companies, of which the CRM has announced a change. */
export async function judgeClaimsAgain(ctx: Context, orgIds: readonly OrgId[]): Promise<void> {
  const { db, clock } = ctx;
  if (orgIds.length === 0) return;
  const claimed = await decisions.openClaimsOf(db, orgIds);
  await tickets.enqueue(db, claimed, { dueAt: clock(), now: clock() });
}
