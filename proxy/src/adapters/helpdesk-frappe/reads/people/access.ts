import * as z from 'zod';
import { type FrappeClient, Named } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import { type Credential, HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';

type Access = Pick<HelpdeskRecords, 'requireTicketWrite' | 'requireCustomerRead' | 'requireCustomerWrite'>;

const Permission = z.object({ message: z.object({ has_permission: z.boolean() }) });

/** What callers may do, according to the helpdesk, asked with their own credentials. */
export function createAccess(client: FrappeClient): Access {
  /** Throws unless the caller may write the document of exactly this name. */
  async function requireWrite(doctype: string, name: string, { authorization }: Credential, signal: AbortSignal) {
    // Asked about `2abc`, older versions answer for ticket 2 (docs/helpdesk.md#names), so the name is read as well.
    const asked = { doctype, docname: name, perm_type: 'write' };
    const byName = { fields: ['name'], filters: [['name', '=', name]], limit: 1 };
    const [permission, [row]] = await Promise.all([
      client.call('frappe.client.has_permission', asked, Permission, authorization, signal),
      client.list(doctype, byName, Named, authorization, signal),
    ]);
    if (row !== undefined && row.name !== name) throw noSuch(doctype);
    if (row === undefined || !permission.message.has_permission)
      throw new FrappeError('forbidden', `The caller may not write the ${doctype}.`, null);
  }

  return {
    requireTicketWrite: (caller, ticket, signal) => requireWrite('HD Ticket', ticket, caller, signal),
    requireCustomerWrite: (caller, customer, signal) => requireWrite('HD Customer', customer, caller, signal),

    async requireCustomerRead({ authorization }, customer, signal) {
      const asked = { doctype: 'HD Customer', name: customer };
      const found = await client.call('frappe.client.get', asked, z.object({ message: Named }), authorization, signal);
      if (found.message.name !== customer) throw noSuch('HD Customer');
    },
  };
}

function noSuch(doctype: string): HelpdeskError {
  return new HelpdeskError('not_found', `The helpdesk has no ${doctype} with this name.`);
}
