import type { Context } from '#context.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import type { DecisionDraft } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import type { TicketWork } from '#store/tickets.ts';
import * as tickets from '#store/tickets.ts';
import { isRoutingOf } from './assignments.ts';
import { isKeptReason, leftAsItIs } from './decide-routing.ts';

/**
 * The record of a ticket that our service account has already routed, of which our records know nothing: because an older
 * store was put back, or another installation did it (docs/decisions.md 20). It is left as it is. Null for every other ticket.
 * Throws HelpdeskError.
 */
export async function findRouted(
  ctx: Context,
  ticket: PipelineTicket,
  cause: TicketWork['foundBy'],
  signal: AbortSignal,
): Promise<DecisionDraft | null> {
  const isRouted = (await isAssignedByUs(ctx, ticket, signal)) || (await isWrittenByUs(ctx, ticket, signal));
  if (!isRouted) return null;
  const { name, creation, agentGroup } = ticket.file.ticket;
  return {
    ticket: name,
    cause,
    found_by: cause,
    decided_at: new Date(ctx.clock()).toISOString(),
    state: 'applied',
    outcome: leftAsItIs(agentGroup),
    assignment: { state: ticket.assignees.length > 0 ? 'already_assigned' : 'none', candidates: [] },
    inputs: {
      org_id: null,
      customer: null,
      looked_up: null,
      claims: ctx.routing.claims,
      crm: null,
      findings: [],
      meta_failures: [],
      ticket_segment: ticket.segment,
      ticket_status: ticket.status,
      ticket_creation: creation,
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: 'deskside' },
    },
    link: null,
  };
}

/** Whether our service account has ever assigned it, with our text. */
async function isAssignedByUs(ctx: Context, { file, assignees }: PipelineTicket, signal: AbortSignal) {
  const service = await ctx.helpdesk.people.serviceUser(signal);
  const assignments = await ctx.helpdesk.assignments.list(file.ticket.name, signal, assignees);
  return assignments.some((assignment) => isRoutingOf(service, assignment));
}

/**
 * Whether group and reason are ours: nobody was available, or the group was kept. Both can be the sender's own, so we or the
 * desk must have written to the ticket since. A ticket whose insert we know, or whose group we gave before the insert, is a
 * new one: nothing of ours was lost.
 */
async function isWrittenByUs(ctx: Context, { key, file, reason, modifiedBy }: PipelineTicket, signal: AbortSignal) {
  const { agentGroup: group } = file.ticket;
  if (group === null || reason === null) return false;
  if (!reason.includes(`Target team=${group}.`) && !isKeptReason(reason, group)) return false;
  if ((await tickets.insertOf(ctx.db, file.ticket)) !== null) return false;
  if (key !== null && (await decisions.preliminary(ctx.db, key)) !== null) return false;
  return (
    modifiedBy === (await ctx.helpdesk.people.serviceUser(signal)) || ctx.helpdesk.people.isDesk(modifiedBy, signal)
  );
}
