import * as z from 'zod';
import { among, fitting } from '#adapters/helpdesk-frappe/client/among.ts';
import { DocumentName } from '#adapters/helpdesk-frappe/client/client.ts';
import { deskAmong } from '#adapters/helpdesk-frappe/reads/people/desk.ts';
import type { WebsiteRights } from '#adapters/helpdesk-frappe/reads/people/website-rights.ts';
import type { Site } from '#adapters/helpdesk-frappe/site.ts';
import type { CustomerMember, CustomerPeople } from '#domain/customer/judge-adoption.ts';

/** More than say anything; bounds the size of a response. */
const limit = 500;

const text = z.string().nullish();
const CustomerRow = z.object({ name: z.string(), domain: text, member: text });
const ContactRow = z.object({
  name: z.string(),
  owner: z.string(),
  email: text,
  phone: text,
  link_doctype: text,
  link_name: text,
});
const TicketRow = z.object({ name: DocumentName, customer: text, raised_by: text });

/**
 * Who a customer's people are (docs/helpdesk.md#membership): the Contacts that it lists, or before 1.28 those that link
 * themselves to it. Null if there is no customer with exactly this name. Two or three requests.
 */
export async function readCustomerPeople(
  at: Site & Pick<WebsiteRights, 'domainIsProtected'>,
  customer: string,
  signal: AbortSignal,
): Promise<CustomerPeople | null> {
  const { client, service } = at;
  const [fields, domainIsProtected] = await Promise.all([at.site.get(signal), at.domainIsProtected(signal)]);
  const lists = fields.has('HD Customer', 'contacts');
  const asked = {
    fields: ['name', 'domain', ...(lists ? ['contacts.contact_name as member'] : [])],
    filters: [['name', '=', customer]],
    limit,
  };
  const found = await client.list('HD Customer', asked, CustomerRow, service, signal);
  const rows = found.filter(({ name }) => name === customer);
  const [first] = rows;
  if (first === undefined) return null;
  const listed = new Set(rows.flatMap(({ member }) => member ?? []));
  const isMember = (row: z.output<typeof ContactRow>) =>
    lists ? listed.has(row.name) : row.link_doctype === 'HD Customer' && row.link_name === customer;
  const columns = {
    fields: [
      ...['name', 'owner', 'email_ids.email_id as email', 'phone_nos.phone as phone'],
      ...['links.link_doctype as link_doctype', 'links.link_name as link_name'],
    ],
    limit,
  };
  const read = (filters: unknown[][]) => client.list('Contact', { ...columns, filters }, ContactRow, service, signal);
  const contacts = lists
    ? await among([...listed], (some) => read([['name', 'in', some]]))
    : await read([['Dynamic Link', 'link_name', '=', customer]]);
  const byName = Map.groupBy(contacts.filter(isMember), ({ name }) => name);
  const desk = await deskAmong(
    at,
    new Set([...byName.values()].flatMap(([one]) => one?.owner.toLowerCase() ?? [])),
    signal,
  );
  const members = [...byName.values()].map((same): CustomerMember => {
    const isDesks = desk.has(same[0]?.owner.toLowerCase() ?? '');
    const all = (of: 'email' | 'phone') => [...new Set(same.flatMap((row) => row[of]?.trim().toLowerCase() || []))];
    return { emails: all('email'), phones: all('phone'), isPutThere: lists || isDesks, isDesks };
  });
  return { name: first.name, domain: domainIsProtected ? (first.domain ?? null) : null, members };
}

/** The last tickets of a customer, or that one of the addresses raised. */
export async function readTicketsAround(
  { client, service }: Pick<Site, 'client' | 'service'>,
  { customer, addresses }: { customer: string; addresses: readonly string[] },
  most: number,
  signal: AbortSignal,
): Promise<{ name: string; customer: string | null; raisedBy: string | null }[]> {
  // The first ones say enough.
  const [some = []] = fitting(addresses);
  const query = {
    fields: ['name', 'customer', 'raised_by'],
    filters: [],
    orFilters: [
      ['customer', '=', customer],
      ['raised_by', 'in', some],
    ].slice(0, some.length === 0 ? 1 : 2),
    orderBy: 'creation desc',
    limit: most,
  };
  const rows = await client.list('HD Ticket', query, TicketRow, service, signal);
  return rows
    .map((row) => ({
      name: row.name,
      customer: row.customer ?? null,
      raisedBy: row.raised_by?.trim().toLowerCase() ?? null,
    }))
    .filter((row) => row.customer === customer || addresses.includes(row.raisedBy ?? ''));
}
