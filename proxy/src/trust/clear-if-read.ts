import type { Context } from '#context.ts';
import { linkTicket } from '#customers/write-records.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { Ticket } from '#helpdesk/tickets.ts';
import { retryIfChanged } from '#runtime/retry-if-changed.ts';
import { readerOf } from './evidence.ts';

/**
 * Takes back what was just written of a company to a ticket that had no contact when it was judged: the helpdesk fills an
 * empty contact on our own write as well, and lets in whoever it names (docs/helpdesk.md#contacts). Nothing if nobody else
 * reads the ticket. Throws HelpdeskError, and `changed_since` if the ticket keeps changing.
 *
 * @returns who else reads it by now; null: nobody
 * @param written what was written; `instead`: what belongs in its place
 * @param written.customer the customer that was linked; null: none was
 */
export async function clearIfRead(
  ctx: Context,
  { name, contact }: Pick<Ticket, 'name' | 'contact'>,
  { fields, instead, customer }: { fields: RoutingFields; instead: RoutingFields; customer: string | null },
  signal: AbortSignal,
): Promise<string | null> {
  if (contact !== null) return null;
  const { reader } = await retryIfChanged(async () => {
    const ticket = await ctx.helpdesk.tickets.read(name, signal);
    const reader = await readerOf(ctx, ticket.file.ticket, signal);
    if (reader === null) return { reader };
    const cleared = await ctx.helpdesk.tickets.clear(ticket, fields, instead, signal);
    return cleared === 'changed_meanwhile' ? cleared : { reader };
  });
  const mayReplace = (found: string | null) => found === customer;
  if (reader !== null && customer !== null)
    await linkTicket(ctx.helpdesk, { ticket: name, customer: null, mayReplace }, signal);
  return reader;
}
