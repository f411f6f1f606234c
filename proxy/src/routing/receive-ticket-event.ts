import type { Context } from '#context.ts';
import type { InsertedTicket } from '#helpdesk/tickets.ts';
import type { TicketKey } from '#store/schema.ts';
import * as tickets from '#store/tickets.ts';

/**
 * Takes in what the webhook says of a new ticket, and has the pipeline look at it soon (docs/api.md#webhooks). Once this
 * resolves it survives `kill -9`; told again it has no effect.
 *
 * @param inserted the ticket as its insert left it; null if the webhook does not say
 */
export async function receiveTicketEvent(
  ctx: Context,
  ticket: TicketKey,
  inserted: InsertedTicket | null,
): Promise<'accepted' | 'known'> {
  const now = ctx.clock();
  if (inserted !== null) {
    if ((await tickets.accept(ctx.db, ticket.name, inserted, now)) === 'known') return 'known';
  } else {
    if ((await tickets.undecidedAmong(ctx.db, [ticket])).length === 0) return 'known';
    await tickets.enqueue(ctx.db, [ticket], { dueAt: now, now, foundBy: 'webhook' });
  }
  ctx.signs.emit('arrived');
  return 'accepted';
}
