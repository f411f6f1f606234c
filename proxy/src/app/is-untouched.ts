import type { RoutingDecision } from '@deskside/shared/routing';
import type { PipelineTicket, TicketAssignment } from '../ports/helpdesk-tickets.ts';
import { sortOpen } from './assignments.ts';

/**
 * Whether nobody but the service has dealt with a ticket since a decision (design.md, decision 26): no reply of the desk,
 * the same status and group, and no assignment by a person, nor one of ours taken away. A native assignment is no touch,
 * nor is another message of the sender.
 */
export function isUntouched({
  ticket,
  assignments,
  service,
  decision,
}: {
  ticket: PipelineTicket;
  assignments: readonly TicketAssignment[];
  service: string;
  decision: RoutingDecision;
}): boolean {
  if (ticket.replied || ticket.status !== decision.inputs.ticket_status) return false;
  const standing = decision.outcome.team ?? decision.inputs.agent_group?.name ?? null;
  if (ticket.file.ticket.agentGroup !== standing) return false;
  const { ours, others } = sortOpen(assignments, service);
  if (others.length > 0) return false;
  return decision.assignment.state !== 'assigned' || ours.some(({ user }) => user === decision.assignment.agent);
}
