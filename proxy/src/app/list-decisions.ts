import type { RoutingDecisions } from '@deskside/shared/routing';
import type { Decisions } from '../ports/decisions.ts';
import type { Caller, Gate } from './open-ticket.ts';

/** Why a ticket went where it went: every decision on it, for an agent who may read it. Throws what opening it throws. */
export type ListDecisions = (input: {
  caller: Caller;
  ticket: string;
  signal: AbortSignal;
}) => Promise<RoutingDecisions>;

export function createListDecisions(deps: { gate: Gate; decisions: Pick<Decisions, 'list'> }): ListDecisions {
  return async ({ caller, ticket, signal }) => {
    const { name } = (await deps.gate.openTicket(caller, ticket, signal)).ticket;
    const all = await deps.decisions.list(name);
    // Those of a deleted ticket that had the name before are none of this one's.
    const creation = all[0]?.inputs.ticket_creation;
    return { ticket: name, decisions: all.filter(({ inputs }) => inputs.ticket_creation === creation) };
  };
}
