import type { Context } from '#context.ts';
import type { InsertedTicket } from '#helpdesk/tickets.ts';
import * as tickets from '#store/tickets.ts';

/** A new ticket, as its webhook tells of it. */
interface NewTicketEvent {
  /** Of the body as sent. */
  digest: string;
  ticket: string;
  /** The ticket as its insert left it; null if the body does not say. */
  inserted: InsertedTicket | null;
}

/**
 * Accepts an event about a new ticket: stores it, and has the pipeline look at the ticket soon (docs/api.md#webhooks).
 * Once this resolves the event survives `kill -9`; the same body again has no effect.
 */
export async function receiveTicketEvent(ctx: Context, event: NewTicketEvent): Promise<'accepted' | 'known'> {
  const outcome = await tickets.accept(ctx.db, { ...event, at: ctx.clock() });
  if (outcome === 'accepted') ctx.signs.emit('arrived');
  return outcome;
}
