import type { TicketLinkResult } from '@deskside/shared/enrichment';
import { retryIfChanged } from '#app/runtime/retry-if-changed.ts';
import type { HelpdeskRecords, TicketLink } from '#ports/helpdesk/helpdesk-records.ts';

/**
 * Links a ticket to a customer, or unlinks it with null, unless its present customer may not be replaced. `linked`
 * tells whether it is linked to the customer afterwards. After a lost race the question is decided again. Throws
 * `changed_since` and HelpdeskError.
 */
export async function linkTicket(
  helpdesk: Pick<HelpdeskRecords, 'readTicketLink' | 'linkTicket'>,
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
    const link = (isFirst ? asRead : null) ?? (await helpdesk.readTicketLink(ticket, signal));
    const { name, customer: previous_customer } = link;
    if (previous_customer === customer) return { name, linked: true, previous_customer };
    if (!mayReplace(previous_customer)) return { name, linked: false, previous_customer };
    const outcome = await helpdesk.linkTicket(link, customer, signal);
    return outcome === 'changed_meanwhile' ? outcome : { name, linked: true, previous_customer };
  });
}
