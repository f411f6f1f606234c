import { parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import { DocumentName, Named } from './client.ts';
import { readDoctypeFields } from './doctype-meta.ts';
import type { DeskCustomer } from './helpdesk-search.ts';
import { textOf } from './read-ticket.ts';
import type { Site } from './site.ts';
import { isClosedToWebsite } from './website-rights.ts';

type Reading = Pick<Site, 'client' | 'service'>;

type Member = DeskCustomer['members'][number];

const pageSize = 500;
const Row = z.looseObject({ name: DocumentName, creation: z.string() });
type Row = z.output<typeof Row>;

/**
 * Every customer with its members, who are the desk's if an account of the desk made the Contact. From 1.28 on a customer
 * lists them, and whoever manages a customer on the portal may rename it and write all of it (docs/helpdesk.md#roles): then
 * nothing of it is the desk's. Before that a Contact links itself to customers, and a website user's own Contact does so as
 * it pleases. Throws HelpdeskError.
 */
export async function readCustomersWithMembers(reading: Reading, signal: AbortSignal): Promise<DeskCustomer[]> {
  const { client, service } = reading;
  const known = await readDoctypeFields(client, 'HD Customer', service, signal);
  const listsMembers = known.has('contacts');
  const columns = [
    'modified_by',
    ...['domain', 'custom_platform_orgid', 'custom_crm_company_id', 'email_id', 'mobile_no'].filter((field) =>
      known.has(field),
    ),
  ];
  const desk = await deskUsers(reading, signal);
  const isDesk = (user: unknown) => desk.has(String(user).toLowerCase());
  const isClosed = await isClosedToWebsite(reading, 'HD Customer', null, signal);

  const contacts = new Map<string, Member>();
  const links = new Map<string, Set<string>>();
  const reach = ['owner', 'email_ids.email_id as email', 'phone_nos.phone as phone'];
  const linked = listsMembers ? [] : ['links.link_doctype as link_doctype', 'links.link_name as link_name'];
  for await (const row of joinedRows(reading, 'Contact', [...reach, ...linked], signal)) {
    const contact = contacts.get(row.name) ?? { emails: [], phones: [], isDesks: isDesk(row.owner) };
    contacts.set(row.name, contact);
    addOnce(contact.emails, textOf(row.email));
    addOnce(contact.phones, textOf(row.phone));
    const customer = row.link_doctype === 'HD Customer' ? textOf(row.link_name) : null;
    if (customer !== null) links.set(customer, (links.get(customer) ?? new Set()).add(row.name));
  }

  const customers = new Map<string, DeskCustomer>();
  const membership = listsMembers ? ['contacts.contact_name as member', 'contacts.is_manager as manages'] : [];
  for await (const row of joinedRows(reading, 'HD Customer', [...columns, ...membership], signal)) {
    const customer = customers.get(row.name) ?? customerOf(row, isClosed || isDesk(row.modified_by));
    customers.set(row.name, customer);
    if (!isClosed && row.manages === 1) customer.isDesks = false;
    const member = contacts.get(textOf(row.member) ?? '');
    if (member) customer.members.push(member);
  }
  for (const [name, linking] of links)
    for (const contact of linking) {
      const member = contacts.get(contact);
      if (member) customers.get(name)?.members.push(member);
    }
  return [...customers.values()];
}

function customerOf(row: Row, isDesks: boolean): DeskCustomer {
  const [email, phone] = [textOf(row.email_id), textOf(row.mobile_no)].map((text) => (text === null ? [] : [text])) as [
    string[],
    string[],
  ];
  return {
    name: row.name,
    domain: textOf(row.domain) ?? '',
    isDesks,
    orgId: parseOrgId(row.custom_platform_orgid) ?? '',
    crmId: textOf(row.custom_crm_company_id) ?? '',
    members: email.length + phone.length > 0 ? [{ emails: email, phones: phone, isDesks: true }] : [],
  };
}

/**
 * Rows of all documents with those of their child tables, oldest document first. Asked for by stretches of time, because a
 * page of joined rows may begin within a document.
 */
async function* joinedRows(
  { client, service }: Reading,
  doctype: string,
  fields: string[],
  signal: AbortSignal,
): AsyncGenerator<Row> {
  let after: unknown[][] = [];
  for (;;) {
    const page = { fields: ['name', 'creation'], filters: after, orderBy: 'creation asc', limit: pageSize };
    const found = await client.list(doctype, page, Row, service, signal);
    const [first, last] = [found[0]?.creation, found.at(-1)?.creation];
    if (first === undefined || last === undefined) return;
    const stretch = [
      ['creation', '>=', first],
      ['creation', '<=', last],
    ];
    const query = { fields: ['name', 'creation', ...fields], filters: stretch, orderBy: 'creation asc', limit: 0 };
    yield* await client.list(doctype, query, Row, service, signal);
    if (found.length < pageSize) return;
    after = [['creation', '>', last]];
  }
}

/** Accounts of the desk, disabled ones too, in lower case. Agents are not shown Administrator (docs/helpdesk.md#permissions). */
async function deskUsers({ client, service }: Reading, signal: AbortSignal): Promise<Set<string>> {
  const query = { fields: ['name'], filters: [['user_type', '=', 'System User']], limit: 0 };
  const users = await client.list('User', query, Named, service, signal);
  return new Set(['administrator', ...users.map(({ name }) => name.toLowerCase())]);
}

function addOnce(list: string[], value: string | null): void {
  if (value !== null && !list.includes(value)) list.push(value);
}
