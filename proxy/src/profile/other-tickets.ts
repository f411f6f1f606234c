import type { AroundTicket } from '@deskside/shared/around';
import { contract } from '@deskside/shared/contract';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { HelpdeskCustomer } from '@deskside/shared/profile';
import type { TrustLevel } from '@deskside/shared/status';
import { type Call, type Context, endpoint, type Work } from '#context.ts';
import { type Lookup, lookupCompany } from '#crm/lookup.ts';
import { refuse } from '#helpdesk/errors.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { orderCandidates, orgIdInName } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import { withDeadline } from '#runtime/concurrency.ts';
import { leaderOf } from '#trust/companies.ts';
import { carriedOrgIds, judgeMatch, ticketFacts } from '#trust/evidence.ts';

/** Nobody waits for this part for long. */
const answerWithinMs = 8_000;
/** What a profile shows is in the cache a moment later; whoever asks for the rest first waits no longer than this. */
const companyWithinMs = 4_500;
/** As many as a panel shows beside the ticket's own. */
const mostRecent = 4;
const recentMs = 90 * 24 * 60 * 60_000;

/**
 * What surrounds a ticket (docs/api.md#profile): the other tickets of its customer, as the caller may see them. A
 * ticket without one shows those of the company that somebody vouches for, never those of a company that its sender
 * merely claims (docs/decisions.md 6). Throws AppError if the caller may not see the ticket, and if the helpdesk fails.
 */
export async function listAround(ctx: Call, { ticket }: { ticket: string }): Promise<AroundTicket> {
  const { caller, signal } = ctx;
  const file = await ctx.gate.openTicket(caller, ticket, signal);
  // A ticket that was linked to another customer since is another question.
  const key = JSON.stringify([caller.digest, file.ticket.name, file.customer?.name ?? null]);
  const look = async (shared: AbortSignal) => {
    const looking = lookAround({ ...ctx, signal: shared }, file).catch(refuse);
    const answer = await withDeadline(looking, answerWithinMs);
    if (answer === 'timeout') throw new AppError('helpdesk_timeout');
    return answer;
  };
  return ctx.remembered.around.get(key, look, signal);
}

async function lookAround(ctx: Call, file: TicketFile): Promise<AroundTicket> {
  const { name: ticket } = file.ticket;
  const { helpdesk, caller, signal } = ctx;
  const [customer, pathOf] = await Promise.all([
    file.customer ? linked(ctx, file, file.customer) : vouchedFor(ctx, file),
    helpdesk.readPaths(signal),
  ]);
  const nothing = { tickets: [], isMore: false };
  const list = customer ? await helpdesk.ticketLists.ofCustomerAs(caller, customer.name, signal) : nothing;
  const since = ctx.clock() - recentMs;
  const { tickets } = list;
  return {
    ticket,
    customer: customer && { ...customer, path: pathOf('customer', customer.name) },
    recent: tickets
      .filter(({ name }) => name !== ticket)
      .slice(0, mostRecent)
      .map(({ name, createdAt, isOpen, ...rest }) => ({
        ...rest,
        name,
        path: pathOf('ticket', name),
        is_open: isOpen,
        created_at: createdAt === null ? null : new Date(createdAt).toISOString(),
      })),
    counts: {
      open: tickets.filter(({ isOpen }) => isOpen).length,
      in_90_days: tickets.filter(({ createdAt }) => createdAt !== null && createdAt >= since).length,
      all: tickets.length,
      is_more: list.isMore,
    },
  };
}

/** The ticket's own customer, and whether its sender is known to be of it. */
async function linked(ctx: Work, file: TicketFile, { name, custom_platform_orgid }: HelpdeskCustomer) {
  const orgId = parseOrgId(custom_platform_orgid) ?? orgIdInName(name);
  const trust = orgId === null ? null : ((await judged(ctx, file, orgId))[0]?.trust?.level ?? null);
  return { name, linked: true, trust };
}

/** The customer of the company that leads, if somebody vouches for it and the helpdesk has it as a customer. */
async function vouchedFor(ctx: Work, file: TicketFile) {
  const leader = leaderOf(await judged(ctx, file));
  const trust: TrustLevel = leader?.trust?.level ?? 'claimed';
  if (!leader || trust === 'claimed') return null;
  const [found] = await ctx.helpdesk.customers.findByOrgId(leader.candidate.orgId, ctx.signal);
  return found === undefined ? null : { name: found.name, linked: false, trust };
}

/** The org ids of a ticket, or only the given one, with who vouches for them. What cannot be judged counts as a claim. */
async function judged(ctx: Work, file: TicketFile, only?: OrgId) {
  const { ticket, customer } = file;
  // Our own records may fail.
  const { candidates } = await carriedOrgIds(ctx, file).catch(() => orderCandidates(ticket.orgIdFields, customer));
  const wanted = candidates.filter(({ orgId }) => only === undefined || orgId === only);
  const facts = await ticketFacts(ctx, ticket).catch(() => undefined);
  return Promise.all(
    wanted.map(async (candidate) => {
      const looked = await lookUp(ctx, candidate.orgId);
      const judging = judgeMatch(ctx, { ticket, candidate, looked, ...(facts && { facts }) });
      const judgement = await judging.catch(() => null);
      return { candidate, trust: judgement?.trust ?? null, isRejected: judgement?.isRejected ?? false };
    }),
  );
}

/** What a profile goes by for an org id; null if the CRM is not to be asked. */
async function lookUp({ crm, crmEnabled, crmTimeoutMs }: Context, orgId: OrgId): Promise<Lookup | null> {
  if (!crmEnabled || !crm) return null;
  const deadlineMs = Math.min(companyWithinMs, crmTimeoutMs);
  const how = { refresh: false, acceptsStale: true, lane: 'open', deadlineMs } as const;
  return lookupCompany(crm, { orgId, ...how });
}

export const aroundEndpoint = endpoint(contract.aroundTicket, {
  who: 'agent',
  handle: listAround,
  message: () => 'Other tickets loaded.',
});
