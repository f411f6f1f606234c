import * as z from 'zod';
import { DocumentName, type FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/service-refusal.ts';
import type { WriteQueue } from '#adapters/helpdesk-frappe/client/write-queue.ts';
import { noSuchTicket, textOf, whyNotListed } from '#adapters/helpdesk-frappe/reads/tickets/read-ticket.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';

type TicketLinks = Pick<HelpdeskRecords, 'readTicketLink' | 'linkTicket'>;

const Linked = z.object({ name: DocumentName, customer: z.string().nullish() });
const Row = Linked.extend({ modified: z.string() });

/** The link from HD Ticket to HD Customer, as the service account. `service` is its Authorization header. */
export function createTicketLinks(deps: { client: FrappeClient; service: string; enqueue: WriteQueue }): TicketLinks {
  const { client, service, enqueue } = deps;

  async function read(ticket: string, signal: AbortSignal) {
    const query = { fields: ['name', 'customer', 'modified'], filters: [['name', '=', ticket]], limit: 1 };
    const [row] = await client.list('HD Ticket', query, Row, service, signal);
    if (row === undefined) throw await whyNotListed(client, service, ticket, signal);
    if (row.name !== ticket) throw noSuchTicket();
    return { name: row.name, customer: textOf(row.customer), modified: row.modified };
  }

  return {
    readTicketLink: (ticket, signal) => refusalAsOutage(read(ticket, signal)),

    async linkTicket({ name, customer: present, modified }, customer, signal) {
      if (present === customer) return 'unchanged';
      try {
        const update = () => client.update('HD Ticket', name, { customer, modified }, Linked, service, signal);
        const written = await refusalAsOutage(enqueue(`HD Ticket ${name}`, signal, update));
        if (written.name !== name) throw noSuchTicket();
        // A ticket without a customer gets that of its contact again.
        if (textOf(written.customer) !== customer) {
          throw new HelpdeskError('rejected', 'The helpdesk put a different customer on the ticket than requested.');
        }
        return 'linked';
      } catch (error) {
        if (error instanceof FrappeError && error.excType === 'TimestampMismatchError') return 'changed_meanwhile';
        throw error;
      }
    },
  };
}
