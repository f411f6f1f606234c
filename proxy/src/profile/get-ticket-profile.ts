import type { AccountLink, PendingPart, ProfileData } from '@deskside/shared/profile';
import type { Context } from '#context.ts';
import { lookupCompany } from '#crm/lookup.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { type Candidate, orderCandidates } from '#intake/org-id.ts';
import { candidatesOf } from '#trust/candidates.ts';
import { ticketFacts } from '#trust/evidence.ts';
import { leaderOf, namedCompanies } from '#trust/lead.ts';
import { crmBlock } from './crm-block.ts';
import { followUp } from './follow-up.ts';
import { type Found, type Judged, judgeCompanies } from './judge-companies.ts';

interface ProfileInput {
  caller: Caller;
  ticket: string;
  refresh: boolean;
  requestId: string;
}

/** The whole response takes at most five seconds (docs/decisions.md 7); this is the share of CRM and judgement. */
const answerWithinMs = 4_500;

/**
 * The customer profile of a ticket (docs/api.md#profile). Where the ticket and its customer name different companies, the
 * better vouched for is shown and the others are named (docs/decisions.md 10a), of equals the one that an agent chose for
 * this sender earlier (29). What an agent has rejected is none of them (28). Throws AppError if the caller may not see
 * it or refreshes too often, and if the helpdesk fails; whatever the CRM does is a status in the answer.
 */
export async function getTicketProfile(
  ctx: Context,
  { caller, ticket, refresh, requestId }: ProfileInput,
  signal: AbortSignal,
): Promise<ProfileData> {
  const startedAt = ctx.clock();
  const left = () => Math.max(0, startedAt + answerWithinMs - ctx.clock());
  const crmLeft = () => Math.min(left(), ctx.crmTimeoutMs);

  const file = await ctx.gate.openTicket(caller, ticket, signal);
  if (refresh) ctx.limitRefreshes(await ctx.gate.requireAgent(caller, signal));
  const facts = ticketFacts(ctx, file.ticket, AbortSignal.timeout(answerWithinMs));
  facts.catch(() => {});
  // Without our own records nothing is confirmed by them, but the profile is still of use.
  const named = await candidatesOf(ctx, file).catch(() => ({
    ...orderCandidates(file.ticket.orgIdFields, file.customer),
    rejections: [],
  }));
  const found = await lookUp(ctx, named.candidates, { refresh, crmLeft });
  const judging = { ticket: file.ticket, facts, rejections: named.rejections };
  const judged = await judgeCompanies(ctx, judging, namedCompanies(found).companies, left);
  const leader = leaderOf(judged);
  const asked = { file, refresh, requestId, startedAt, crmLeft };
  const bitrix = await crmBlock(ctx, asked, { ...named, found, judged, leader });
  const accountLinks = peekAccountLinks(ctx, file);
  followUp(ctx, file, { found, leader, responsible: bitrix.responsible });
  return {
    ticket: file.ticket.record,
    customer: file.customer?.record ?? null,
    contact: file.contact,
    haravan: accountLinks ?? [],
    bitrix,
    pending: pendingParts(leader, accountLinks),
    notes: named.unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
  };
}

async function lookUp(
  { crm, crmEnabled }: Context,
  candidates: Candidate[],
  { refresh, crmLeft }: { refresh: boolean; crmLeft: () => number },
): Promise<Found[]> {
  if (!crmEnabled || !crm) return [];
  // All at once, so that they go out in one request.
  return Promise.all(
    candidates.map(async (candidate) => {
      const how = { refresh, acceptsStale: true, deadlineMs: crmLeft() };
      return { candidate, looked: await lookupCompany(crm, { orgId: candidate.orgId, ...how }) };
    }),
  );
}

/**
 * The customer's platform accounts as far as they are known, and null if they are not: they are then read in the
 * background, for the next response (docs/decisions.md 14).
 */
function peekAccountLinks(
  { accountLinks, background, remembered }: Context,
  { customer }: TicketFile,
): AccountLink[] | null {
  if (customer === null || !accountLinks?.areThere()) return [];
  const { name } = customer;
  const read = (signal: AbortSignal) => accountLinks.of(name, signal);
  const links = remembered.accountLinks;
  const known = links.peek(name, read);
  if (!known) background.run(`links ${name}`, async (signal) => void (await links.get(name, read, signal)));
  return known ?? null;
}

function pendingParts(leader: Judged | undefined, accountLinks: AccountLink[] | null): PendingPart[] {
  const pending: PendingPart[] = [];
  if (leader?.trust === null) pending.push('lookup_trust');
  if (accountLinks === null) pending.push('haravan');
  return pending;
}
