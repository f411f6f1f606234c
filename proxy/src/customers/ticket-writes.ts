import type { TicketLinkResult } from '@deskside/shared/enrichment';
import type { Context, Work } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { Ticket, TicketLink } from '#helpdesk/tickets.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import { machine } from '#runtime/machine.ts';
import { isReadByOther, readerOf } from '#trust/evidence.ts';
import { checkFields, crmFailure, isCrmFailure } from './facts.ts';

interface Linking {
  ticket: string;
  customer: string | null;
  /** The customers that it may take the place of; null stands for none. */
  over: readonly (string | null)[];
  /** The link as it was read with the ticket; absent: it is read here. */
  asRead?: TicketLink | null;
}

/**
 * Links a ticket to a customer, or unlinks it with null, unless its present customer may not be replaced. `linked`
 * tells whether it is linked to the customer afterwards. After a lost race the question is decided again. Throws
 * `changed_since` and HelpdeskError.
 */
export async function linkTicket(
  { helpdesk: { tickets }, signal }: Work,
  { ticket, customer, over, asRead = null }: Linking,
): Promise<TicketLinkResult> {
  return retryIfChanged(async (isFirst) => {
    const link = (isFirst ? asRead : null) ?? (await tickets.readLink(ticket, signal));
    const { name, customer: previous_customer } = link;
    if (previous_customer === customer) return { name, linked: true, previous_customer };
    if (!over.includes(previous_customer)) return { name, linked: false, previous_customer };
    const outcome = await tickets.link(link, customer, signal);
    return outcome === 'changed_meanwhile' ? outcome : { name, linked: true, previous_customer };
  });
}

/**
 * Gives a ticket back the customer that it had before `present`, or none where somebody else reads it by now. Returns the
 * customer that it then has: the helpdesk itself gives a ticket without one that of its contact. Throws `changed_since`
 * where `present` is not its customer any more, and HelpdeskError.
 */
export async function putBackCustomer(
  ctx: Work,
  ticket: string,
  { present, before }: { present: string; before: string | null },
): Promise<string | null> {
  const customer = before !== null && (await isReadByOther(ctx, ticket)) ? null : before;
  try {
    const { linked } = await linkTicket(ctx, { ticket, customer, over: [present] });
    if (!linked) throw new AppError('changed_since');
    return customer;
  } catch (error) {
    if (customer !== null || !(error instanceof HelpdeskError) || error.kind !== 'rejected') throw error;
    return (await ctx.helpdesk.tickets.readLink(ticket, ctx.signal)).customer;
  }
}

/**
 * Takes back what was just written of a company to a ticket that had no contact when it was judged: the helpdesk fills an
 * empty contact on our own write as well, and lets in whoever it names (docs/helpdesk.md#contacts). Nothing if nobody else
 * reads the ticket. Returns who else reads it by now; null: nobody. Throws HelpdeskError, and `changed_since` if the ticket
 * keeps changing.
 *
 * @param written `instead`: what belongs in its place; `customer`: that was linked
 */
export async function clearIfRead(
  ctx: Work,
  { name, contact }: Pick<Ticket, 'name' | 'contact'>,
  written: { fields: RoutingFields; instead?: RoutingFields; customer?: string | null },
): Promise<string | null> {
  if (contact !== null) return null;
  const { fields, instead = {}, customer = null } = written;
  const { tickets } = ctx.helpdesk;
  const { reader } = await retryIfChanged(async () => {
    const ticket = await tickets.read(name, ctx.signal);
    const reader = await readerOf(ctx, ticket.file.ticket);
    if (reader === null) return { reader };
    const cleared = await tickets.clear(ticket, fields, instead, ctx.signal);
    return cleared === 'changed_meanwhile' ? cleared : { reader };
  });
  if (reader !== null && customer !== null) await linkTicket(ctx, { ticket: name, customer: null, over: [customer] });
  return reader;
}

/** For what is put right on a ticket after the answer, or although the caller has left. */
export const afterwardsMs = 20_000;

/**
 * Writes to the ticket of an enrichment how the check went: that the CRM failed, as routing does, or else these fields.
 * `tells`: whether they may be written, for they tell the sender whether the org id exists (docs/decisions.md 9); never on a
 * ticket that somebody else reads. Best effort: a failure of the helpdesk is logged, and so is that others keep writing first.
 */
export async function noteCheck(
  lasting: Context,
  { name }: Pick<Ticket, 'name'>,
  { looked, tells }: { looked: Lookup; tells: boolean },
): Promise<void> {
  const ctx = { ...lasting, signal: machine.timeout(afterwardsMs) };
  const { tickets } = ctx.helpdesk;
  try {
    const { ticket, told } = await retryIfChanged(async () => {
      const read = await tickets.read(name, ctx.signal);
      const { ticket } = read.file;
      const isTold = tells && (await readerOf(ctx, ticket)) === null;
      const told = isTold ? checkFields(looked) : {};
      const mended = isCrmFailure(read.profileError) ? ({ status: 'Complete', error: '' } as const) : {};
      const fields = looked.status === 'error' ? crmFailure(looked.error) : { ...mended, ...told };
      const written = await tickets.write(read, fields, ctx.signal);
      return written === 'changed_meanwhile' ? written : { ticket, told };
    });
    // That the CRM failed may be known to anybody.
    if (Object.keys(told).length > 0) await clearIfRead(ctx, ticket, { fields: told });
  } catch (error) {
    if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
    ctx.logger.warn({ error: reasonOf(error) }, 'The time of a CRM check could not be written to the ticket');
  }
}
