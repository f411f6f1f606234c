import * as z from 'zod';
import { HelpdeskError } from '../../ports/helpdesk.ts';
import type { HelpdeskRecords } from '../../ports/helpdesk-records.ts';
import { asService } from './as-service.ts';
import { DocumentName, type FrappeClient } from './client.ts';
import { FrappeError } from './frappe-error.ts';
import { noSuchTicket, textOf, whyNotListed } from './read-ticket.ts';
import type { WriteQueue } from './write-queue.ts';

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
    readTicketLink: (ticket, signal) => asService(read(ticket, signal)),

    async linkTicket({ name, customer: present, modified }, customer, signal) {
      if (present === customer) return 'unchanged';
      try {
        const update = () => client.update('HD Ticket', name, { customer, modified }, Linked, service, signal);
        const written = await asService(enqueue(`HD Ticket ${name}`, signal, update));
        if (written.name !== name) throw noSuchTicket();
        // A ticket without customer is given the one of its contact again.
        if (textOf(written.customer) !== customer) {
          throw new HelpdeskError('rejected', 'The helpdesk put another customer on the ticket than it was given.');
        }
        return 'linked';
      } catch (error) {
        if (error instanceof FrappeError && error.excType === 'TimestampMismatchError') return 'changed_meanwhile';
        throw error;
      }
    },
  };
}
