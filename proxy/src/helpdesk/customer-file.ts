import * as z from 'zod';
import { DocumentName, type FrappeClient } from './client.ts';
import { type CustomerFile, HelpdeskError } from './helpdesk.ts';
import { contactFields, customerFields, textOf, toCustomer } from './read-ticket.ts';

const Document = z.object({ message: z.looseObject({ name: DocumentName }) });

/**
 * Reads a customer, and then the contact if one is named, as the caller. Fields that the site lacks are null.
 *
 * @param caller Authorization header
 * @throws HelpdeskError `not_found`, also for a name that the helpdesk's database would coerce to another
 */
export async function readCustomerFile(
  client: FrappeClient,
  caller: string,
  { customer, contact }: { customer: string; contact: string | null },
  signal: AbortSignal,
): Promise<CustomerFile> {
  async function get<F extends string>(doctype: string, name: string, fields: readonly F[]) {
    const { message } = await client.call('frappe.client.get', { doctype, name }, Document, caller, signal);
    if (message.name !== name) throw new HelpdeskError('not_found', `The helpdesk has no ${doctype} with this name.`);
    const values = Object.fromEntries(fields.map((field) => [field, textOf(message[field])])) as Record<
      F,
      string | null
    >;
    return { name, ...values };
  }

  const found = toCustomer(await get('HD Customer', customer, customerFields));
  return { customer: found, contact: contact === null ? null : await get('Contact', contact, contactFields) };
}
