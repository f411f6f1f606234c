import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import { isOpenClaim } from './claims.ts';

/**
 * Sends a ticket that was decided on a claim through the pipeline again at once, because a Sync, or a profile with a
 * different judgement, may vouch for it (docs/decisions.md 10). Another ticket is left alone.
 */
export async function judgeClaimAgain({ decisions, inbox, clock }: Context, ticket: string): Promise<void> {
  const latest = await decisions.latest(ticket);
  if (latest !== null && isOpenClaim(latest)) await inbox.enqueue([ticket], clock(), clock());
}

/** The same for all tickets with a claim to these companies, of which the CRM has announced a change. */
export async function judgeClaimsAgain(ctx: Context, orgIds: readonly OrgId[]): Promise<void> {
  const { decisions, inbox, clock } = ctx;
  if (orgIds.length === 0) return;
  const tickets = await decisions.openClaimsOf(orgIds);
  if (tickets.length > 0) await inbox.enqueue(tickets, clock(), clock());
}
