import * as z from 'zod';
import { Named } from './client.ts';
import { FrappeError } from './frappe-error.ts';
import { type Credential, HelpdeskError } from './helpdesk.ts';
import type { Site } from './site.ts';

// What callers may do, according to the helpdesk, asked with their own credentials.

type At = Pick<Site, 'client'>;

const Permission = z.object({ message: z.object({ has_permission: z.boolean() }) });

export function requireTicketWrite(at: At, caller: Credential, ticket: string, signal: AbortSignal): Promise<void> {
  return requireWrite(at, 'HD Ticket', ticket, caller, signal);
}

export function requireCustomerWrite(at: At, caller: Credential, customer: string, signal: AbortSignal): Promise<void> {
  return requireWrite(at, 'HD Customer', customer, caller, signal);
}

export async function requireCustomerRead(
  { client }: At,
  { authorization }: Credential,
  customer: string,
  signal: AbortSignal,
): Promise<void> {
  const asked = { doctype: 'HD Customer', name: customer };
  const found = await client.call('frappe.client.get', asked, z.object({ message: Named }), authorization, signal);
  if (found.message.name !== customer) throw noSuch('HD Customer');
}

/** Throws unless the caller may write the document of exactly this name. */
async function requireWrite(
  { client }: At,
  doctype: string,
  name: string,
  { authorization }: Credential,
  signal: AbortSignal,
): Promise<void> {
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

function noSuch(doctype: string): HelpdeskError {
  return new HelpdeskError('not_found', `The helpdesk has no ${doctype} with this name.`);
}
