import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import * as decisions from '#store/decisions.ts';
import * as tickets from '#store/tickets.ts';
import { isOpenClaim } from './claims.ts';

/**
 * Sends a ticket that was decided on a claim through the pipeline again at once, because a Sync, or a profile with a
 * different judgement, may vouch for it (docs/decisions.md 10). Another ticket is left alone.
 */
export async function judgeClaimAgain({ db, clock }: Context, ticket: string): Promise<void> {
  const latest = await decisions.latest(db, ticket);
  if (latest !== null && isOpenClaim(latest)) await tickets.enqueue(db, [ticket], clock(), clock());
}

/** The same for all tickets with a claim to these companies, of which the CRM has announced a change. */
export async function judgeClaimsAgain(ctx: Context, orgIds: readonly OrgId[]): Promise<void> {
  const { db, clock } = ctx;
  if (orgIds.length === 0) return;
  const claimed = await decisions.openClaimsOf(db, orgIds);
  if (claimed.length > 0) await tickets.enqueue(db, claimed, clock(), clock());
}
