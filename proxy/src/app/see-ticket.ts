import { orderCandidates } from '../domain/candidates.ts';
import { stampBefore } from '../domain/stamp.ts';
import type { Clock } from '../ports/clock.ts';
import type { Decisions, FirstSight } from '../ports/decisions.ts';
import type { HelpdeskTickets, PipelineTicket } from '../ports/helpdesk-tickets.ts';
import { setByPerson } from './set-by-person.ts';

/**
 * What a ticket was like when the service first saw it: kept before any write of ours, because afterwards nobody can tell
 * who wrote what. Throws HelpdeskError.
 */
export type SeeTicket = (ticket: PipelineTicket, signal: AbortSignal) => Promise<FirstSight>;

/** The helpdesk goes on writing a new ticket for a moment (facts/live.md section 7: a quarter of a second). */
const creationTakesMs = 10_000;

export function createSeeTicket(deps: {
  tickets: Pick<HelpdeskTickets, 'isAgent' | 'serviceUser'>;
  decisions: Pick<Decisions, 'firstSight' | 'keepFirstSight' | 'preliminary'>;
  clock: Clock;
}): SeeTicket {
  const { tickets, decisions } = deps;

  return async (ticket, signal) => {
    const { name, customer } = ticket.file.ticket;
    const known = await decisions.firstSight(name, ticket.creation);
    if (known !== null) return known;
    const sight = {
      ticket: name,
      creation: ticket.creation,
      entered: await enteredByAgent(ticket, signal),
      groupSetBy: await groupSetBy(ticket, signal),
      customer,
    };
    await decisions.keepFirstSight(sight, deps.clock());
    return (await decisions.firstSight(name, ticket.creation)) ?? sight;
  };

  /** The agent who created the ticket with its org id, where it is still as he left it (design.md, decision 9). */
  async function enteredByAgent(ticket: PipelineTicket, signal: AbortSignal): Promise<FirstSight['entered']> {
    const { orgIdFields, origin } = ticket.file.ticket;
    const [own] = orderCandidates(orgIdFields, null).candidates;
    const isNew = stampBefore(ticket.modified, creationTakesMs) <= ticket.creation;
    if (own === undefined || !isNew || ticket.modifiedBy !== origin.owner) return null;
    return (await tickets.isAgent(origin.owner, signal)) ? { agent: origin.owner, orgId: own.orgId } : null;
  }

  async function groupSetBy(ticket: PipelineTicket, signal: AbortSignal): Promise<FirstSight['groupSetBy']> {
    const { agentGroup } = ticket.file.ticket;
    if (agentGroup === null) return null;
    const preliminary = ticket.key === null ? null : await decisions.preliminary(ticket.key);
    if (preliminary !== null && preliminary.team === agentGroup) return 'deskside';
    return (await setByPerson(tickets, ticket, signal)) ? 'person' : 'sender';
  }
}
