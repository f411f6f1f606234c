import type { AroundTicket } from '@deskside/shared/around';
import { contract } from '@deskside/shared/contract';
import type { HelpdeskCustomer } from '@deskside/shared/profile';
import { type Call, endpoint, type Work } from '#context.ts';
import { refuse } from '#helpdesk/errors.ts';
import type { TicketFile } from '#helpdesk/ticket-file.ts';
import { orgIdOfCustomer } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import { withDeadline } from '#runtime/concurrency.ts';
import { openCase } from '#trust/case.ts';
import { levelOf } from '#trust/companies.ts';

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
 * merely claims (decision 6: what is beside it). Throws AppError if the caller may not see the ticket, and if the helpdesk fails.
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

const asPanel = { lane: 'open', left: () => companyWithinMs } as const;

/** The ticket's own customer, and whether its sender is known to be of it. */
async function linked(ctx: Work, file: TicketFile, customer: HelpdeskCustomer) {
  const orgId = orgIdOfCustomer(customer);
  const opened = orgId === null ? null : await openCase(ctx, file, { ...asPanel, only: orgId });
  return { name: customer.name, linked: true, trust: opened?.companies[0]?.trust?.level ?? null };
}

/** The customer of the company that leads, if somebody vouches for it and the helpdesk has it as a customer. */
async function vouchedFor(ctx: Work, file: TicketFile) {
  const { leading } = await openCase(ctx, file, asPanel);
  const trust = levelOf(leading?.trust ?? null);
  if (leading === null || trust === 'claimed') return null;
  const [found] = await ctx.helpdesk.customers.findByOrgId(leading.candidate.orgId, ctx.signal);
  return found === undefined ? null : { name: found.name, linked: false, trust };
}

export const aroundEndpoint = endpoint(contract.aroundTicket, {
  who: 'agent',
  handle: listAround,
  message: () => 'Other tickets loaded.',
});
