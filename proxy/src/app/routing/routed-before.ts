import type { Context } from '#app/context.ts';
import { adoptedAssignment, adoptedOutcome } from '#domain/routing/adopted-outcome.ts';
import { isKeptReason, leftAsItIs } from '#domain/routing/decide-routing.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { DecisionDraft } from '#store/decisions/decisions.ts';
import type { TicketWork } from '#store/tickets/inbox.ts';
import type { Restore } from '#store/upkeep/upkeep.ts';
import { isRoutingOf, teamOf } from './assignments.ts';
import { learnTurns, type TurnNeeds } from './known-turns.ts';

export type RoutedNeeds = TurnNeeds &
  Pick<Context, 'routing' | 'clock'> & { helpdesk: Pick<HelpdeskTickets, 'listAssignments' | 'isDesk'> };

/**
 * How a ticket was routed of which we have no record. `whole`: as the ticket shows it, to be recorded. `half`: it was
 * assigned, and nothing more.
 */
type Routed = { kind: 'whole'; draft: DecisionDraft } | { kind: 'half'; team: string; agent: string };

/**
 * Recognises a ticket without any record of ours that was routed before our store was replaced by an older or an empty one
 * (docs/decisions.md 36). Null for every other. Throws HelpdeskError.
 */
export async function findRouted(
  ctx: RoutedNeeds,
  ticket: PipelineTicket,
  cause: TicketWork['cause'],
  signal: AbortSignal,
): Promise<Routed | null> {
  const restore = await ctx.upkeep.lastRestore();
  const ours = restore && (await findOurs(ctx, restore, ticket, cause, signal));
  if (ours) return ours;
  if (!(await isAssignedByUs(ctx, ticket, signal))) return null;
  const outcome = leftAsItIs(ticket.file.ticket.agentGroup);
  const assignment = { state: 'already_assigned' as const, candidates: [] };
  return { kind: 'whole', draft: draftOfRouted(ctx, ticket, { cause, outcome, assignment }) };
}

/** How far the helpdesk's clock may be ahead of ours. Its stamps have fractions of a second, too. */
const aheadMs = 5 * 60_000;

/** One that was routed between a backup and its restore. */
async function findOurs(
  ctx: RoutedNeeds,
  restore: Restore,
  ticket: PipelineTicket,
  cause: TicketWork['cause'],
  signal: AbortSignal,
): Promise<Routed | null> {
  if (ticket.file.ticket.creation > (await ctx.helpdesk.stampOf(restore.at + aheadMs, signal))) return null;
  // Before anything is recorded: by what the records lack, the turns are told.
  if (!ctx.turns.areKnown) await learnTurns(ctx);
  const { name, agentGroup } = ticket.file.ticket;
  const service = await ctx.helpdesk.serviceUser(signal);
  const all = await ctx.helpdesk.listAssignments(name, signal);
  const ours = all.filter((assignment) => isRoutingOf(service, assignment));
  const current = ours.findLast(({ open }) => open) ?? null;
  if (agentGroup === null) return current && { kind: 'half', team: teamOf(current), agent: current.user };
  if (ours.length === 0 && !(await isWritten(ctx, ticket, service, signal))) return null;
  const seen = { group: agentGroup, reason: ticket.reason ?? '' };
  const outcome = adoptedOutcome(seen, ctx.routing.teams);
  const assignment = adoptedAssignment(seen, {
    agent: current?.user ?? null,
    wasOurs: ours.length > 0,
    isTaken: all.some(({ open }) => open),
  });
  return { kind: 'whole', draft: draftOfRouted(ctx, ticket, { cause, outcome, assignment }) };
}

/** Group and reason can be the sender's own, unless we or the desk have written to the ticket since. */
async function isWritten(
  ctx: RoutedNeeds,
  { modifiedBy, reason, file }: PipelineTicket,
  service: string,
  signal: AbortSignal,
) {
  const group = file.ticket.agentGroup;
  const isOurs =
    reason?.includes(`Target team=${group}.`) || (group !== null && reason !== null && isKeptReason(reason, group));
  return isOurs && (modifiedBy === service || (await ctx.helpdesk.isDesk(modifiedBy, signal)));
}

/** Whether a ticket without any record of ours has an assignment by our service account. Throws HelpdeskError. */
async function isAssignedByUs(ctx: RoutedNeeds, { file, assignees }: PipelineTicket, signal: AbortSignal) {
  const service = await ctx.helpdesk.serviceUser(signal);
  const assignments = await ctx.helpdesk.listAssignments(file.ticket.name, signal, assignees);
  return assignments.some((assignment) => isRoutingOf(service, assignment));
}

/** The record of a ticket that was routed without us knowing by what: nothing is written to it. */
function draftOfRouted(
  { routing: { claims }, clock }: Pick<Context, 'routing' | 'clock'>,
  { file, ...seen }: PipelineTicket,
  decided: Pick<TicketWork, 'cause'> & Pick<DecisionDraft, 'outcome' | 'assignment'>,
): DecisionDraft {
  const { name, agentGroup } = file.ticket;
  const isCrmLacking = decided.outcome.fallback === 'crm';
  return {
    ticket: name,
    ...decided,
    found_by: decided.cause,
    decided_at: new Date(clock()).toISOString(),
    state: 'applied',
    inputs: {
      org_id: null,
      customer: null,
      looked_up: null,
      claims,
      crm: isCrmLacking ? { status: 'error', error: null, checked_at: null, stale: false } : null,
      findings: [],
      meta_failures: [],
      ticket_segment: seen.segment,
      ticket_status: seen.status,
      ticket_creation: file.ticket.creation,
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: 'deskside' },
    },
    link: null,
  };
}
