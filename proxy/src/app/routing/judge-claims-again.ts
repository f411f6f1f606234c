import type { OrgId } from '@deskside/shared/orgid';
import { isOpenClaim } from '#domain/routing/open-claim.ts';
import type { Inbox } from '#ports/intake/inbox.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';

/**
 * Sends tickets decided on a claim through the pipeline again at once, because something has come up that may vouch for
 * them (docs/decisions.md 10). Other tickets are left alone.
 */
export interface JudgeClaimsAgain {
  /** After a Sync, or after a profile with a different judgement. */
  ofTicket(ticket: string): Promise<void>;
  /** After the CRM has announced a change of these companies. */
  ofOrgIds(orgIds: readonly OrgId[]): Promise<void>;
}

export function createJudgeClaimsAgain(deps: {
  decisions: Pick<Decisions, 'latest' | 'openClaimsOf'>;
  inbox: Pick<Inbox, 'enqueue'>;
  clock: Clock;
}): JudgeClaimsAgain {
  const { decisions, inbox, clock } = deps;
  return {
    async ofTicket(ticket) {
      const latest = await decisions.latest(ticket);
      if (latest !== null && isOpenClaim(latest)) await inbox.enqueue([ticket], clock(), clock());
    },
    async ofOrgIds(orgIds) {
      if (orgIds.length === 0) return;
      const tickets = await decisions.openClaimsOf(orgIds);
      if (tickets.length > 0) await inbox.enqueue(tickets, clock(), clock());
    },
  };
}
