import type { Responsible } from '@deskside/shared/profile';
import type { Context } from '#app/context.ts';
import type { Ticket } from '#ports/helpdesk/helpdesk.ts';

export interface RecordResponsibleNeeds extends Pick<Context, 'background' | 'remembered'> {
  gate: Pick<Context['gate'], 'forgetTicket'>;
  helpdesk: Pick<Context['helpdesk'], 'writeResponsible'>;
}

/**
 * Writes the account owner's e-mail to the ticket, after the response (docs/decisions.md 16): only for an active owner
 * with an address (docs/data.md#the-account-owner), only if the site has the field, and only if it changes anything,
 * because every write makes the agents' open pages reload.
 */
export function recordResponsible(ctx: RecordResponsibleNeeds, ticket: Ticket, owner: Responsible | null): void {
  const { owners } = ctx.remembered;
  if (owner?.status !== 'active' || !owner.email || ticket.responsible === undefined) return;
  const { email } = owner;
  if ((ticket.responsible ?? '') === email || owners.get(ticket.name)?.email === email) return;
  ctx.background.run(`responsible ${ticket.name}`, async (signal) => {
    await ctx.helpdesk.writeResponsible(ticket.name, email, signal);
    owners.set(ticket.name, { email });
    ctx.gate.forgetTicket(ticket.name);
  });
}
