import type { Responsible } from '@deskside/shared/profile';
import type { Helpdesk, Ticket } from '../ports/helpdesk.ts';
import type { Memory } from '../ports/memory.ts';
import type { Background } from './background.ts';
import type { Gate } from './open-ticket.ts';

/**
 * Writes the account owner's e-mail to the ticket, after the answer (design.md, decision 16): only of an active owner
 * with an address (facts/domain.md 1.7), only where the site has the field, and only if it changes something, because
 * every write makes the agents' open pages reload.
 */
export type RecordResponsible = (ticket: Ticket, owner: Responsible | null) => void;

export function createRecordResponsible(deps: {
  helpdesk: Helpdesk;
  gate: Gate;
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
