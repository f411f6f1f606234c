import type { HelpdeskTickets, PipelineTicket } from '../ports/helpdesk-tickets.ts';

/**
 * Whether what stands on a ticket is an agent's doing: he wrote it last. Where that was the service or the helpdesk
 * itself, which write for anybody, the ticket's creator counts. Throws HelpdeskError.
 */
export async function setByPerson(
  tickets: Pick<HelpdeskTickets, 'isAgent' | 'serviceUser'>,
  { modifiedBy, file }: PipelineTicket,
  signal: AbortSignal,
): Promise<boolean> {
  const isNobody = modifiedBy === 'Administrator' || modifiedBy === (await tickets.serviceUser(signal));
  return tickets.isAgent(isNobody ? file.ticket.origin.owner : modifiedBy, signal);
}
