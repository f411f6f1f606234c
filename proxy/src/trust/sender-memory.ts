import type { Context } from '#context.ts';
import type { Ticket } from '#helpdesk/tickets.ts';
import type { EarlierChoice, Sender } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import { senderAddress, telltaleDomain } from './sender.ts';

type Raised = Pick<Ticket, 'origin'>;

/** What agents chose for the ticket's sender, then for others of their domain (docs/decisions.md 29). */
export async function earlierChoices({ db }: Context, { origin }: Raised): Promise<EarlierChoice[]> {
  const sender = senderOf(origin);
  return sender === null ? [] : syncs.choicesOf(db, sender);
}

/**
 * Under whom to record what an agent says of a ticket's sender. Null for a ticket that the desk raised itself: its
 * address stands for no customer. Throws HelpdeskError.
 */
export async function identifySender(
  { helpdesk }: Context,
  { origin }: Raised,
  signal: AbortSignal,
): Promise<Sender | null> {
  const sender = senderOf(origin);
  if (sender === null || sender.address === (await helpdesk.people.serviceUser(signal)).toLowerCase()) return null;
  return (await helpdesk.people.isDesk(sender.address, signal)) ? null : sender;
}

function senderOf(origin: Ticket['origin']): Sender | null {
  const address = senderAddress(origin);
  return address === null ? null : { address, domain: telltaleDomain(address) };
}
