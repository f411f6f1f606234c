import type { RoutingDecision } from '@deskside/shared/routing';
import type { PipelineTicket, TicketAssignment } from '#ports/helpdesk-tickets.ts';
import { sortOpen } from './assignments.ts';

/**
 * Whether only the service has dealt with a ticket since a decision (docs/decisions.md 26): no reply from the team, the
 * same status and group, no assignment by a person, and none of ours removed. Native assignments do not count, nor do
 * further messages from the sender.
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
