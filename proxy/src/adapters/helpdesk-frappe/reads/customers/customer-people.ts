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
const CustomerRow = z.object({
  name: z.string(),
  modified_by: z.string(),
  domain: text,
  member: text,
  manages: z.unknown().optional(),
});
const ContactRow = z.object({
  name: z.string(),
  owner: z.string(),
  email: text,
  phone: text,
  link_doctype: text,
  link_name: text,
});
const AccountRow = z.object({ name: z.string(), user: text });
const OwnedRow = z.object({ name: z.string(), owner: z.string(), manages: z.unknown().optional() });
const TicketRow = z.object({ name: DocumentName, customer: text, raised_by: text });

/**
 * Who a customer's people are (docs/helpdesk.md#membership): the Contacts that it lists, or before 1.28 those that link
 * themselves to it. Null if there is no customer with exactly this name. Its writers are the website users whose accounts
 * manage it on the portal (docs/helpdesk.md#roles), and who wrote to it last unless that is the desk or this service; none
 * where website users may write no customer. Two to four requests.
 */
export async function readCustomerPeople(
  at: Site & Pick<WebsiteRights, 'domainIsProtected' | 'customersAreClosed'>,
  customer: string,
  signal: AbortSignal,
): Promise<CustomerPeople | null> {
  const { client, service } = at;
  const [fields, domainIsProtected, isClosed] = await Promise.all([
    at.site.get(signal),
    at.domainIsProtected(signal),
    at.customersAreClosed(signal),
  ]);
  const lists = fields.has('HD Customer', 'contacts');
  const membership = ['contacts.contact_name as member', 'contacts.is_manager as manages'];
  const asked = {
    fields: ['name', 'modified_by', 'domain', ...(lists ? membership : [])],
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
  const managers = isClosed ? [] : rows.flatMap(({ member, manages }) => (manages === 1 && member ? [member] : []));
  const [contacts, accounts] = await Promise.all([
    lists
      ? among([...listed], (some) => read([['name', 'in', some]]))
      : read([['Dynamic Link', 'link_name', '=', customer]]),
    accountsOf(at, managers, signal),
  ]);
  const byName = Map.groupBy(contacts.filter(isMember), ({ name }) => name);
  const owners = [...byName.values()].flatMap(([one]) => one?.owner.toLowerCase() ?? []);
  const last = isClosed ? [] : [first.modified_by.toLowerCase()];
  const [us, desk] = await Promise.all([at.serviceUser(signal), deskAmong(at, new Set([...owners, ...last]), signal)]);
  const members = [...byName.values()].map((same): CustomerMember => {
    const isDesks = desk.has(same[0]?.owner.toLowerCase() ?? '');
    const all = (of: 'email' | 'phone') => [...new Set(same.flatMap((row) => row[of]?.trim().toLowerCase() || []))];
    return { emails: all('email'), phones: all('phone'), isPutThere: lists || isDesks, isDesks };
  });
  const others = last.filter((account) => !desk.has(account) && account !== us.toLowerCase());
  const writers = [...new Set([...accounts, ...others])];
  return { name: first.name, domain: domainIsProtected ? (first.domain ?? null) : null, members, writers };
}

/**
 * The accounts, in lower case, that Contacts sign in with. Asked for by themselves: among the rows of addresses and numbers,
 * which website users can make many, one could be cut off.
 */
async function accountsOf(
  { client, service }: Pick<Site, 'client' | 'service'>,
  contacts: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const rows = await among(contacts, (some) => {
    const query = { fields: ['name', 'user'], filters: [['name', 'in', some]], limit };
    return client.list('Contact', query, AccountRow, service, signal);
  });
  return rows.flatMap(({ name, user }) => (user && contacts.includes(name) ? [user.toLowerCase()] : []));
}

/**
 * Whether no website user may write or rename a customer. Where a role of theirs may write customers at all, the helpdesk
 * lets in who manages this one on the portal (docs/helpdesk.md#roles), and who made it.
 */
export async function isDeskOnly(
  at: Site & Pick<WebsiteRights, 'customersAreClosed'>,
  customer: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (await at.customersAreClosed(signal)) return true;
  const fields = await at.site.get(signal);
  if (!fields.has('HD Customer', 'contacts')) return false;
  const query = {
    fields: ['name', 'owner', 'contacts.is_manager as manages'],
    filters: [['name', '=', customer]],
    limit,
  };
  const found = await at.client.list('HD Customer', query, OwnedRow, at.service, signal);
  const rows = found.filter(({ name }) => name === customer);
  const [first] = rows;
  if (first === undefined || rows.length === limit || rows.some(({ manages }) => manages === 1)) return false;
  const owner = first.owner.toLowerCase();
  if (owner === (await at.serviceUser(signal)).toLowerCase()) return true;
  return (await deskAmong(at, new Set([owner]), signal)).has(owner);
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
