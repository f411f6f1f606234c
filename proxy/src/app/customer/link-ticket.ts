import type { TicketLinkResult } from '@deskside/shared/enrichment';
import { AppError } from '#app/runtime/app-error.ts';
import type { HelpdeskRecords, TicketLink } from '#ports/helpdesk/helpdesk-records.ts';

const maxTries = 3;

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
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const link = (attempt === 1 ? asRead : null) ?? (await helpdesk.readTicketLink(ticket, signal));
    const previous_customer = link.customer;
    if (previous_customer === customer) return { name: link.name, linked: true, previous_customer };
    if (!mayReplace(previous_customer)) return { name: link.name, linked: false, previous_customer };
    const outcome = await helpdesk.linkTicket(link, customer, signal);
    if (outcome !== 'changed_meanwhile') return { name: link.name, linked: true, previous_customer };
  }
  throw new AppError('changed_since');
}
