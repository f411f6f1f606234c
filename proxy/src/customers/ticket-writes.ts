import type { TicketLinkResult } from '@deskside/shared/enrichment';
import type { Context } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { PipelineTicket, Ticket, TicketLink } from '#helpdesk/tickets.ts';
import { crmFailure, isCrmFailure } from '#routing/decide.ts';
import { checkFields } from '#routing/written-fields.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import { readerOf } from '#trust/evidence.ts';

/**
 * Links a ticket to a customer, or unlinks it with null, unless its present customer may not be replaced. `linked`
 * tells whether it is linked to the customer afterwards. After a lost race the question is decided again. Throws
 * `changed_since` and HelpdeskError.
 */
export async function linkTicket(
  helpdesk: Helpdesk,
  {
    ticket,
    customer,
    mayReplace,
    asRead = null,
  }: {
    ticket: string;
    customer: string | null;
    mayReplace: (present: string | null) => boolean;
    /** The link as it was read with the ticket; null: it is read here. */
    asRead?: TicketLink | null;
  },
  signal: AbortSignal,
): Promise<TicketLinkResult> {
  return retryIfChanged(async (isFirst) => {
    const link = (isFirst ? asRead : null) ?? (await helpdesk.tickets.readLink(ticket, signal));
    const { name, customer: previous_customer } = link;
    if (previous_customer === customer) return { name, linked: true, previous_customer };
    if (!mayReplace(previous_customer)) return { name, linked: false, previous_customer };
    const outcome = await helpdesk.tickets.link(link, customer, signal);
    return outcome === 'changed_meanwhile' ? outcome : { name, linked: true, previous_customer };
  });
}

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
  { name, contact }: { name: string; contact: string | null },
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

const withinMs = 20_000;

/**
 * Writes to the ticket of an enrichment how the check went: that the CRM failed, as routing does, or else these fields.
 * `tells`: whether they may be written, for they tell the sender whether the org id exists (docs/decisions.md 9); never on a
 * ticket that somebody else reads. Best effort: a failure of the helpdesk is logged, and so is that others keep writing first.
 */
export async function noteCheck(
  ctx: Context,
  { ticket: { name }, looked, tells }: { ticket: Pick<Ticket, 'name'>; looked: Lookup; tells: boolean },
): Promise<void> {
  const fieldsOf = ({ profileError }: PipelineTicket, isRead: boolean): RoutingFields => {
    if (looked.status === 'error') return crmFailure(looked.error);
    const mended = isCrmFailure(profileError) ? ({ status: 'Complete', error: '' } as const) : {};
    return { ...mended, ...(tells && !isRead && checkFields(looked)) };
  };
  try {
    await write(ctx, name, fieldsOf, AbortSignal.timeout(withinMs));
  } catch (error) {
    if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
    ctx.logger.warn({ error: reasonOf(error) }, 'The time of a CRM check could not be written to the ticket');
  }
}

async function write(
  ctx: Context,
  name: string,
  fieldsOf: (ticket: PipelineTicket, isRead: boolean) => RoutingFields,
  signal: AbortSignal,
): Promise<void> {
  const { helpdesk } = ctx;
  const { ticket, fields } = await retryIfChanged(async () => {
    const read = await helpdesk.tickets.read(name, signal);
    const { ticket } = read.file;
    const fields = fieldsOf(read, (await readerOf(ctx, ticket, signal)) !== null);
    const written = await helpdesk.tickets.write(read, fields, signal);
    return written === 'changed_meanwhile' ? written : { ticket, fields };
  });
  // That the CRM failed may be known to anybody.
  const { status: _, error: __, ...told } = fields;
  if (Object.keys(told).length > 0)
    await clearIfRead(ctx, ticket, { fields: told, instead: {}, customer: null }, signal);
}
