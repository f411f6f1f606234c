import * as z from 'zod';
import { among } from '#adapters/helpdesk-frappe/client/among.ts';
import { deskAmong } from '#adapters/helpdesk-frappe/reads/people/desk.ts';
import type { WebsiteRights } from '#adapters/helpdesk-frappe/reads/people/website-rights.ts';
import type { Site } from '#adapters/helpdesk-frappe/site.ts';

/** More than manage anything; bounds the size of a response. */
const limit = 500;

const text = z.string().nullish();
const CustomerRow = z.object({ name: z.string(), modified_by: z.string(), member: text, manages: z.unknown() });
const ContactRow = z.object({ name: z.string(), user: text });

/**
 * The website users who may have written a customer: whose accounts manage it on the portal (docs/helpdesk.md#roles), and who
 * wrote to it last unless that is the desk or this service; none where website users may write no customer. In lower case.
 * Two or three requests.
 */
export async function websiteWritersOf(
  at: Site & Pick<WebsiteRights, 'customersAreClosed'>,
  customer: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (await at.customersAreClosed(signal)) return [];
  const { client, service } = at;
  const fields = await at.site.get(signal);
  const membership = ['contacts.contact_name as member', 'contacts.is_manager as manages'];
  const asked = {
    fields: ['name', 'modified_by', ...(fields.has('HD Customer', 'contacts') ? membership : [])],
    filters: [['name', '=', customer]],
    limit,
  };
  const found = await client.list('HD Customer', asked, CustomerRow, service, signal);
  const rows = found.filter(({ name }) => name === customer);
  const managers = rows.flatMap(({ member, manages }) => (manages === 1 && member ? [member] : []));
  const read = (some: string[]) => {
    const query = { fields: ['name', 'user'], filters: [['name', 'in', some]], limit };
    return client.list('Contact', query, ContactRow, service, signal);
  };
  const writer = rows[0]?.modified_by.toLowerCase() ?? '';
  const [us, desk, contacts] = await Promise.all([
    at.serviceUser(signal),
    deskAmong(at, new Set([writer]), signal),
    among(managers, read),
  ]);
  const isOurs = desk.has(writer) || writer === us.toLowerCase();
  const accounts = contacts.flatMap(({ name, user }) => (user && managers.includes(name) ? [user.toLowerCase()] : []));
  return [...new Set([...accounts, ...(writer === '' || isOurs ? [] : [writer])])];
}
