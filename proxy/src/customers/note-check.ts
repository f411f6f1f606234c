import type { Context } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket, Ticket } from '#helpdesk/tickets.ts';
import { crmFailure, isCrmFailure } from '#routing/decide-routing.ts';
import { checkFields } from '#routing/written-fields.ts';
import { AppError } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/background.ts';
import { retryIfChanged } from '#runtime/retry-if-changed.ts';
import { clearIfRead } from '#trust/clear-if-read.ts';
import { readerOf } from '#trust/evidence.ts';

const withinMs = 20_000;

/**
 * Writes to the ticket of an enrichment how the check went: that the CRM failed, as routing does, or else these fields.
 * `tells`: whether they may be written, for they tell the sender whether the org id exists (docs/decisions.md 10); never on a
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
