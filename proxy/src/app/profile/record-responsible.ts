import type { Responsible } from '@deskside/shared/profile';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Background } from '#app/runtime/background.ts';
import type { Helpdesk, Ticket } from '#ports/helpdesk/helpdesk.ts';
import type { Memory } from '#ports/runtime/memory.ts';

/**
 * Writes the account owner's e-mail to the ticket, after the response (docs/decisions.md 16): only for an active owner
 * with an address (docs/data.md#the-account-owner), only if the site has the field, and only if it changes anything,
 * because every write makes the agents' open pages reload.
 */
export type RecordResponsible = (ticket: Ticket, owner: Responsible | null) => void;

export function createRecordResponsible(deps: {
  helpdesk: Helpdesk;
  gate: AgentGate;
  memory: Memory;
  background: Background;
}): RecordResponsible {
  const { helpdesk, gate, memory, background } = deps;
  const written = memory.area<{ email: string }>({ ttlMs: 60_000, max: 10_000 });
  return (ticket, owner) => {
    if (owner?.status !== 'active' || !owner.email || ticket.responsible === undefined) return;
    const { email } = owner;
    if ((ticket.responsible ?? '') === email || written.get(ticket.name)?.email === email) return;
    background.run(`responsible ${ticket.name}`, async (signal) => {
      await helpdesk.writeResponsible(ticket.name, email, signal);
      written.set(ticket.name, { email });
      gate.forgetTicket(ticket.name);
    });
  };
}
