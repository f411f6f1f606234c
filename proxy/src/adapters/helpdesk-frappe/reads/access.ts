import * as z from 'zod';
import { type FrappeClient, Named } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import { HelpdeskError } from '#ports/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk-records.ts';
import { noSuchTicket } from './read-ticket.ts';

type Access = Pick<HelpdeskRecords, 'requireTicketWrite' | 'requireCustomerRead'>;

const Permission = z.object({ message: z.object({ has_permission: z.boolean() }) });

/** What callers may do, according to the helpdesk, asked with their own credentials. */
export function createAccess(client: FrappeClient): Access {
  return {
    async requireTicketWrite({ authorization }, ticket, signal) {
      // Asked about `2abc`, older versions answer for ticket 2 (docs/helpdesk.md#names), so the name is read as well.
      const [permission, [row]] = await Promise.all([
        client.call(
          'frappe.client.has_permission',
          { doctype: 'HD Ticket', docname: ticket, perm_type: 'write' },
          Permission,
          authorization,
          signal,
        ),
        client.list(
          'HD Ticket',
          { fields: ['name'], filters: [['name', '=', ticket]], limit: 1 },
          Named,
          authorization,
          signal,
        ),
      ]);
      if (row !== undefined && row.name !== ticket) throw noSuchTicket();
      if (row === undefined || !permission.message.has_permission) {
        throw new FrappeError('forbidden', 'The caller may not write the ticket.', null);
      }
    },

    async requireCustomerRead({ authorization }, customer, signal) {
      const asked = { doctype: 'HD Customer', name: customer };
      const found = await client.call('frappe.client.get', asked, z.object({ message: Named }), authorization, signal);
      if (found.message.name !== customer) {
        throw new HelpdeskError('not_found', 'The helpdesk has no customer with this name.');
      }
    },
  };
}
