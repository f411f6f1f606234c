import { orderCandidates } from '#domain/customer/org-id-candidates.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import type { CompanyRejections } from '#ports/customer/company-rejections.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Decisions, FirstState } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { setByPerson } from './set-by-person.ts';

/**
 * What a ticket was like when the service first saw it: recorded before we write anything, because afterwards it is no
 * longer possible to tell who wrote what. Throws HelpdeskError.
 */
export type RecordFirstState = (ticket: PipelineTicket, signal: AbortSignal) => Promise<FirstState>;

/**
 * The helpdesk keeps writing to a new ticket for a moment (docs/helpdesk.md#inserting-a-ticket: a quarter of a second).
 */
const creationTakesMs = 10_000;

export function createRecordFirstState(deps: {
  tickets: Pick<HelpdeskTickets, 'isAgent' | 'isSystemAccount' | 'serviceUser' | 'stampBefore'>;
  decisions: Pick<Decisions, 'firstState' | 'keepFirstState' | 'preliminary'>;
  /** An agent's entry is a later word than any rejection (docs/decisions.md 28). */
  rejections: Pick<CompanyRejections, 'lift'>;
  clock: Clock;
}): RecordFirstState {
  const { tickets, decisions } = deps;

  return async (ticket, signal) => {
    const { name, customer } = ticket.file.ticket;
    const known = await decisions.firstState(name, ticket.creation);
    if (known !== null) return known;
    const firstState = {
      ticket: name,
      creation: ticket.creation,
      entered: await enteredByAgent(ticket, signal),
      groupSetBy: await groupSetBy(ticket, signal),
      customer,
    };
    if (firstState.entered !== null) {
      const match = { ticket: name, sender: senderAddress(ticket.file.ticket.origin), crmCompanyId: null };
      await deps.rejections.lift({ ...match, orgId: firstState.entered.orgId }, name, deps.clock());
    }
    await decisions.keepFirstState(firstState, deps.clock());
    return (await decisions.firstState(name, ticket.creation)) ?? firstState;
  };

  /** The agent who created the ticket with its org id, if nobody has changed it since (docs/decisions.md 9). */
  async function enteredByAgent(ticket: PipelineTicket, signal: AbortSignal): Promise<FirstState['entered']> {
    const { orgIdFields, origin } = ticket.file.ticket;
    const [own] = orderCandidates(orgIdFields, null).candidates;
    const isNew = tickets.stampBefore(ticket.modified, creationTakesMs) <= ticket.creation;
    if (own === undefined || !isNew || ticket.modifiedBy !== origin.owner) return null;
    return (await tickets.isAgent(origin.owner, signal)) ? { agent: origin.owner, orgId: own.orgId } : null;
  }

  async function groupSetBy(ticket: PipelineTicket, signal: AbortSignal): Promise<FirstState['groupSetBy']> {
    const { agentGroup } = ticket.file.ticket;
    if (agentGroup === null) return null;
    const preliminary = ticket.key === null ? null : await decisions.preliminary(ticket.key);
    if (preliminary !== null && preliminary.team === agentGroup) return 'deskside';
    return (await setByPerson(tickets, ticket, signal)) ? 'person' : 'sender';
  }
}
