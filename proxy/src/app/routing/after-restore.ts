import type { Context } from '#app/context.ts';
import { draftOfRouted, isRoutingOf, teamOf } from '#app/routing/assignments.ts';
import { adoptedAssignment, adoptedOutcome } from '#domain/routing/adopted-outcome.ts';
import { isKeptReason } from '#domain/routing/decide-routing.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { DecisionDraft } from '#store/decisions/decisions.ts';
import type { TicketWork } from '#store/tickets/inbox.ts';
import type { Restore } from '#store/upkeep/upkeep.ts';
import { learnTurns, type TurnNeeds } from './known-turns.ts';

export type AdoptNeeds = TurnNeeds &
  Pick<Context, 'routing' | 'clock'> & { helpdesk: Pick<HelpdeskTickets, 'listAssignments' | 'isDesk'> };

/**
 * What this service had done with a ticket before its store was replaced by an older one. `whole`: the decision as the
 * ticket shows it, to be recorded. `half`: it was assigned, and nothing more.
 */
type Adopted = { kind: 'whole'; draft: DecisionDraft } | { kind: 'half'; team: string; agent: string };

/** How far the helpdesk's clock may be ahead of ours. Its stamps have fractions of a second, too. */
const aheadMs = 5 * 60_000;

/**
 * Recognises a ticket that was routed between a backup and its restore (docs/decisions.md 36); null for every other.
 * Throws HelpdeskError.
 */
export async function adoptTicket(
  ctx: AdoptNeeds,
  restore: Restore,
  ticket: PipelineTicket,
  cause: TicketWork['cause'],
  signal: AbortSignal,
): Promise<Adopted | null> {
  if (ticket.creation > (await ctx.helpdesk.stampOf(restore.at + aheadMs, signal))) return null;
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
  ctx: AdoptNeeds,
  { modifiedBy, reason, file }: PipelineTicket,
  service: string,
  signal: AbortSignal,
) {
  const group = file.ticket.agentGroup;
  const isOurs =
    reason?.includes(`Target team=${group}.`) || (group !== null && reason !== null && isKeptReason(reason, group));
  return isOurs && (modifiedBy === service || (await ctx.helpdesk.isDesk(modifiedBy, signal)));
}
