import type { RoutingDecision } from '@deskside/shared/routing';
import type { PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Sorted } from './assignments.ts';

/**
 * Whether only the service has dealt with a ticket since a decision (docs/decisions.md 26): no reply from the team, the
 * same status and group, no assignment by a person, and none of ours removed. Native assignments do not count, nor do
 * further messages from the sender.
 */
export function isUntouched({
  ticket,
  assignments: { ours, rivals, others },
  decision,
}: {
  ticket: PipelineTicket;
  assignments: Sorted;
  decision: RoutingDecision;
}): boolean {
  if (ticket.replied || ticket.status !== decision.inputs.ticket_status) return false;
  const standing = decision.outcome.team ?? decision.inputs.agent_group?.name ?? null;
  if (ticket.file.ticket.agentGroup !== standing) return false;
  if (rivals.length + others.length > 0) return false;
  return decision.assignment.state !== 'assigned' || ours.some(({ user }) => user === decision.assignment.agent);
}
