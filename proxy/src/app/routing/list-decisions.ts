import type { RoutingDecisions } from '@deskside/shared/routing';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import type { Decisions } from '#ports/decisions.ts';

/**
 * Why a ticket went where it went: every decision on it, for an agent who may read it. Throws what `openTicket` throws.
 */
export type ListDecisions = (input: {
  caller: Caller;
  ticket: string;
  signal: AbortSignal;
}) => Promise<RoutingDecisions>;

export function createListDecisions(deps: { gate: AgentGate; decisions: Pick<Decisions, 'list'> }): ListDecisions {
  return async ({ caller, ticket, signal }) => {
    const { name } = (await deps.gate.openTicket(caller, ticket, signal)).ticket;
    const all = await deps.decisions.list(name);
    // Not those of a deleted ticket that had the same name.
    const creation = all[0]?.inputs.ticket_creation;
    return { ticket: name, decisions: all.filter(({ inputs }) => inputs.ticket_creation === creation) };
  };
}
