import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';

/**
 * Whether an agent is responsible for what is on a ticket, as its last writer. If that was the service or the helpdesk
 * itself, which write on behalf of anyone, the ticket's creator counts. Throws HelpdeskError.
 */
export async function setByPerson(
  tickets: Pick<HelpdeskTickets, 'isAgent' | 'isSystemAccount' | 'serviceUser'>,
  { modifiedBy, file }: PipelineTicket,
  signal: AbortSignal,
): Promise<boolean> {
  const isNobody = tickets.isSystemAccount(modifiedBy) || modifiedBy === (await tickets.serviceUser(signal));
  return tickets.isAgent(isNobody ? file.ticket.origin.owner : modifiedBy, signal);
}
