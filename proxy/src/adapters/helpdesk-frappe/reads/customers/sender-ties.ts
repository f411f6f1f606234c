import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import type { Site } from '#adapters/helpdesk-frappe/site.ts';
import type { SenderTies } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';

/** Far more than one company has; bounds the size of a response. */
const limit = 500;

const text = z.string().nullish();
const CustomerRow = z.object({ name: z.string(), org_id: z.unknown(), member: text });
const ContactRow = z.object({ name: z.string(), owner: z.string(), email: text });
const LinkRow = ContactRow.extend({ link_doctype: text, link_name: text });

type Asking = Pick<Site, 'client' | 'service'> & Pick<HelpdeskTickets, 'isDesk'> & { signal: AbortSignal };

/**
 * Finds the customers of an org id that the sender belongs to (docs/decisions.md 9). From 1.28 on, a customer lists its
 * members. Before that, a Contact links itself to customers, and anyone who can sign in may create a Contact with any
 * address and any link: such a link counts only if the Contact belongs to an account of the desk that is not the sender.
 *
 * Two requests in parallel; in older versions another one if an owner has to be judged, who is not remembered.
 */
export async function readSenderTies(
  at: Site & Pick<HelpdeskTickets, 'isDesk'>,
  sender: string,
  orgId: OrgId,
  signal: AbortSignal,
): Promise<SenderTies> {
  const address = sender.trim().toLowerCase();
  const fields = await at.site.get(signal);
  const reading = { ...at, signal };
  if (address === '' || !fields.has('HD Customer', 'custom_platform_orgid')) return { customers: [] };
  return fields.has('HD Customer', 'contacts')
    ? tiesByMembership(reading, address, orgId)
    : tiesByLinks(reading, address, orgId);
}

async function tiesByMembership(reading: Asking, address: string, orgId: OrgId): Promise<SenderTies> {
  const [customers, contacts] = await Promise.all([
    customersOf(reading, orgId, ['contacts.contact_name as member']),
    contactsOf(reading, address, [], ContactRow),
  ]);
  const members = new Set(contacts.map(({ name }) => name));
  const listed = customers.filter(({ member }) => typeof member === 'string' && members.has(member));
  const names = new Set(listed.map(({ name }) => name));
  return { customers: [...names].map((name) => ({ name, linkedBy: 'desk' })) };
}

async function tiesByLinks(reading: Asking, address: string, orgId: OrgId): Promise<SenderTies> {
  const [customers, contacts] = await Promise.all([
    customersOf(reading, orgId, []),
    contactsOf(reading, address, ['links.link_doctype as link_doctype', 'links.link_name as link_name'], LinkRow),
  ]);
  const names = new Set(customers.map(({ name }) => name));
  const links = contacts.flatMap(({ owner, link_doctype, link_name }) => {
    const ours = link_doctype === 'HD Customer' && typeof link_name === 'string' && names.has(link_name);
    return ours ? [{ customer: link_name, owner: owner.toLowerCase() }] : [];
  });
  const owners = [...new Set(links.map(({ owner }) => owner).filter((owner) => owner !== address))];
  const areDesk = await Promise.all(owners.map((owner) => reading.isDesk(owner, reading.signal)));
  const desk = new Set(owners.filter((_, at) => areDesk[at]));
  const linkedBy = (owner: string) => (owner === address ? 'sender' : desk.has(owner) ? 'desk' : 'website_user');
  const strongest = new Map<string, SenderTies['customers'][number]['linkedBy']>();
  for (const { customer, owner } of links) {
    const known = strongest.get(customer);
    const by = linkedBy(owner);
    if (known === undefined || by === 'desk' || (by === 'sender' && known !== 'desk')) strongest.set(customer, by);
  }
  return { customers: [...strongest].map(([name, by]) => ({ name, linkedBy: by })) };
}

// The database ignores accents and compares numbers as numbers, so its results are compared again.

async function customersOf({ client, service, signal }: Asking, orgId: OrgId, more: string[]) {
  const query = {
    fields: ['name', 'custom_platform_orgid as org_id', ...more],
    filters: [['custom_platform_orgid', '=', orgId]],
    limit,
  };
  const rows = await client.list('HD Customer', query, CustomerRow, service, signal);
  return rows.filter((row) => parseOrgId(row.org_id) === orgId);
}

/** Contacts with the address, a row for each of their links where those are among the fields. */
async function contactsOf<T extends z.infer<typeof ContactRow>>(
  { client, service, signal }: Asking,
  address: string,
  more: string[],
  row: z.ZodType<T>,
): Promise<T[]> {
  const query = {
    fields: ['name', 'owner', 'email_ids.email_id as email', ...more],
    filters: [['Contact Email', 'email_id', '=', address]],
    limit,
  };
  const rows = await client.list('Contact', query, row, service, signal);
  return rows.filter(({ email }) => email?.trim().toLowerCase() === address);
}
