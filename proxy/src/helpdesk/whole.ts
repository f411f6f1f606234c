import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import { HelpdeskError } from './errors.ts';
import { customerFieldOf, orgIdFields } from './fields.ts';
import { DocumentName, type Frappe, NamedDocument, readDoctypeFields } from './frappe.ts';
import { isClosedToWebsite } from './permissions.ts';
import { requireWholeSight } from './sight.ts';
import { type Credential, SitePart } from './site.ts';
import { textOf } from './text.ts';
import { finishedStatuses, type TicketKey } from './ticket-file.ts';
import type { DoctypeFields } from './values.ts';

/** A customer as far as the desk knows who it is. */
export interface DeskCustomer {
  name: string;
  /** Empty where it has none, as the others. */
  orgId: string;
  crmId: string;
  domain: string;
  /** Of its name, domain and membership: no website user can have written it. */
  isDesks: boolean;
  members: Member[];
}

interface Member {
  emails: string[];
  phones: string[];
  isDesks: boolean;
}

const pageSize = 500;
/** A million rows: whoever has more gets an error and not an incomplete answer. */
const maxPages = 2_000;
const Row = z.looseObject({ name: DocumentName });
const DatedRow = Row.extend({ creation: z.string() });
type DatedRow = z.output<typeof DatedRow>;

/**
 * Searches over the whole helpdesk, for commands of an operator. Read page by page as the service account, which sees
 * what its teams see. Every method may throw HelpdeskError.
 */
export class WholeHelpdesk {
  private readonly service: Frappe;
  constructor(service: Frappe) {
    this.service = service;
  }

  /** Every customer once, oldest first, with when the CRM was asked about it, in the helpdesk's time. Empty for what it lacks. */
  async *customers(signal: AbortSignal): AsyncGenerator<{ name: string; orgId: string; checkedAt: string }> {
    const known = await this.fieldsOf('HD Customer', signal);
    const wanted = ['custom_platform_orgid', 'custom_crm_last_checked_at'].filter((field) => known.has(field));
    const listed = new Set<string>();
    for await (const row of this.rows('HD Customer', ['name', ...wanted], [], signal)) {
      if (listed.has(row.name)) continue;
      listed.add(row.name);
      const checkedAt = textOf(row.custom_crm_last_checked_at) ?? '';
      yield { name: row.name, orgId: idOf(row.custom_platform_orgid), checkedAt: checkedAt.trim() };
    }
  }

  /** Tickets that a person raised or created. Throws `forbidden` where there may be others. */
  async ticketsOfPerson(email: string, signal: AbortSignal): Promise<string[]> {
    await requireWholeSight(this.service, signal);
    const fields = ['raised_by', 'owner'];
    const found = await Promise.all(fields.map((field) => this.names('HD Ticket', field, email, signal)));
    return [...new Set(found.flat())];
  }

  /** Tickets that carry an org id or are linked to a customer with it, and the names of these customers. Likewise. */
  async ticketsOfCompany(orgId: OrgId, signal: AbortSignal): Promise<{ tickets: string[]; customers: string[] }> {
    await requireWholeSight(this.service, signal);
    const [ofCustomer, ofTicket] = await Promise.all([
      this.fieldsOf('HD Customer', signal),
      this.fieldsOf('HD Ticket', signal),
    ]);
    const customers = ofCustomer.has('custom_platform_orgid')
      ? await this.names('HD Customer', 'custom_platform_orgid', orgId, signal)
      : [];
    const tickets = new Set<string>();
    for (const { field } of orgIdFields.filter((one) => ofTicket.has(one.field)))
      for (const name of await this.names('HD Ticket', field, orgId, signal)) tickets.add(name);
    for (const customer of customers)
      for await (const { name } of this.rows('HD Ticket', ['name'], [['customer', '=', customer]], signal))
        tickets.add(name);
    return { tickets: [...tickets], customers };
  }

  /**
   * Every customer, oldest first, with the addresses and telephone numbers of its members, who are the desk's if an account
   * of the desk made the Contact. From 1.28 on a customer lists them, and whoever manages a customer on the portal may
   * rename it and write all of it (docs/helpdesk.md#permissions): then nothing of it is the desk's. Before that a Contact links
   * itself to customers, and a website user's own Contact does so as it pleases.
   */
  async customersWithMembers(signal: AbortSignal): Promise<DeskCustomer[]> {
    const known = await this.fieldsOf('HD Customer', signal);
    const listsMembers = known.has('contacts');
    const optional = ['domain', 'custom_platform_orgid', 'custom_crm_company_id', 'email_id', 'mobile_no'];
    const columns = ['modified_by', ...optional.filter((field) => known.has(field))];
    const desk = await this.deskUsers(signal);
    const isDesk = (user: unknown) => desk.has(String(user).toLowerCase());
    const isClosed = await isClosedToWebsite(this.service, 'HD Customer', null, signal);

    const contacts = new Map<string, Member>();
    const links = new Map<string, Set<string>>();
    const reach = ['owner', 'email_ids.email_id as email', 'phone_nos.phone as phone'];
    const linked = listsMembers ? [] : ['links.link_doctype as link_doctype', 'links.link_name as link_name'];
    for await (const row of this.joinedRows('Contact', [...reach, ...linked], signal)) {
      const contact = contacts.get(row.name) ?? { emails: [], phones: [], isDesks: isDesk(row.owner) };
      contacts.set(row.name, contact);
      addOnce(contact.emails, textOf(row.email));
      addOnce(contact.phones, textOf(row.phone));
      const customer = row.link_doctype === 'HD Customer' ? textOf(row.link_name) : null;
      if (customer !== null) links.set(customer, (links.get(customer) ?? new Set()).add(row.name));
    }

    const customers = new Map<string, DeskCustomer>();
    const membership = listsMembers ? ['contacts.contact_name as member', 'contacts.is_manager as manages'] : [];
    for await (const row of this.joinedRows('HD Customer', [...columns, ...membership], signal)) {
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

  private fieldsOf(doctype: string, signal: AbortSignal): Promise<DoctypeFields> {
    return readDoctypeFields(this.service, doctype, signal);
  }

  /** In the order of creation, so that what is made meanwhile comes last. */
  private async *rows(doctype: string, fields: string[], filters: unknown[][], signal: AbortSignal) {
    for (let page = 0; page < maxPages; page += 1) {
      const query = { fields, filters, orderBy: 'creation asc, name asc', start: page * pageSize, limit: pageSize };
      const found = await this.service.list(doctype, query, Row, signal);
      yield* found;
      if (found.length < pageSize) return;
    }
    throw new HelpdeskError('bad_answer', `Listing ${doctype}: there are too many rows.`);
  }

  private async names(doctype: string, field: string, value: string, signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    // The database compares numbers as numbers and texts without regard to accents.
    for await (const row of this.rows(doctype, ['name', field], [[field, '=', value]], signal))
      if (textOf(row[field])?.trim().toLowerCase() === value.toLowerCase()) found.push(row.name);
    return found;
  }

  /**
   * Rows of all documents with those of their child tables, oldest document first. Asked for by stretches of time, because
   * a page of joined rows may begin within a document.
   */
  private async *joinedRows(doctype: string, fields: string[], signal: AbortSignal): AsyncGenerator<DatedRow> {
    let after: unknown[][] = [];
    for (;;) {
      const page = { fields: ['name', 'creation'], filters: after, orderBy: 'creation asc', limit: pageSize };
      const found = await this.service.list(doctype, page, DatedRow, signal);
      const [first, last] = [found[0]?.creation, found.at(-1)?.creation];
      if (first === undefined || last === undefined) return;
      const stretch = [
        ['creation', '>=', first],
        ['creation', '<=', last],
      ];
      const query = { fields: ['name', 'creation', ...fields], filters: stretch, orderBy: 'creation asc', limit: 0 };
      yield* await this.service.list(doctype, query, DatedRow, signal);
      if (found.length < pageSize) return;
      after = [['creation', '>', last]];
    }
  }

  /** Accounts of the desk, disabled ones too, in lower case. Agents are not shown Administrator (docs/helpdesk.md#permissions). */
  async deskUsers(signal: AbortSignal): Promise<Set<string>> {
    const query = { fields: ['name'], filters: [['user_type', '=', 'System User']], limit: 0 };
    const users = await this.service.list('User', query, NamedDocument, signal);
    return new Set(['administrator', ...users.map(({ name }) => name.toLowerCase())]);
  }
}

function customerOf(row: DatedRow, isDesks: boolean): DeskCustomer {
  const textsIn = (field: string) => [textOf(row[field])].flatMap((text) => text ?? []);
  const member = { emails: textsIn('email_id'), phones: textsIn('mobile_no'), isDesks: true };
  return {
    name: row.name,
    domain: textOf(row.domain) ?? '',
    isDesks,
    orgId: parseOrgId(row.custom_platform_orgid) ?? '',
    crmId: textOf(row.custom_crm_company_id) ?? '',
    members: member.emails.length + member.phones.length > 0 ? [member] : [],
  };
}

function addOnce(list: string[], value: string | null): void {
  if (value !== null && !list.includes(value)) list.push(value);
}

/** A column of type Int holds 0 where nothing was ever written. */
function idOf(value: unknown): string {
  const text = textOf(value)?.trim() ?? '';
  return /^0+$/.test(text) ? '' : text;
}

/** An open ticket of a customer that has an org id. */
export interface OpenTicket extends TicketKey {
  customer: string;
  orgId: OrgId;
}

const SweepRow = z.object({ name: DocumentName, creation: z.string(), modified: z.string() });
const NameOfRow = z.object({ name: DocumentName.catch('') }).catch({ name: '' });
const UseRow = z.object({ name: DocumentName, status: z.string().nullish(), modified: z.unknown() });
const Key = z.object({ name: DocumentName, creation: z.string() });
const Keys = z.object({ message: z.array(Key) });
const OpenRow = Key.extend({ customer: z.string().nullish(), org_id: z.unknown() });
const ListRow = z.looseObject({ name: DocumentName, customer: z.string().nullish() });
const listColumns = ['name', 'customer', 'subject', 'status', 'status_category', 'agent_group', 'creation'];
/** The category under which the helpdesk counts every status of a finished ticket, its own and a site's. */
const finished = 'Resolved';
/** More tickets of one customer are not counted. */
const maxListed = 500;

/** Many tickets in one list. Every method may throw HelpdeskError. */
export class TicketLists extends SitePart {
  /**
   * Tickets modified at or after the timestamp, ordered by `modified` and name: at most `limit`, after skipping
   * `offset`. One that cannot be read, for want of a timestamp for example, does not keep the others from being listed: its name
   * is among the `unreadable`, '' where there is not even one.
   */
  async modifiedSince(since: string, { limit, offset }: { limit: number; offset: number }, signal: AbortSignal) {
    const query = {
      fields: ['name', 'creation', 'modified'],
      filters: [['modified', '>=', since]],
      orderBy: 'modified asc, name asc',
      start: offset,
      limit,
    };
    const rows = await this.site.service.list('HD Ticket', query, z.unknown(), signal);
    const read = rows.map((row) => SweepRow.safeParse(row));
    return {
      tickets: read.flatMap(({ data }) => data ?? []),
      unreadable: rows.filter((_, index) => !read[index]?.success).map((row) => NameOfRow.parse(row).name),
    };
  }

  /**
   * Whether tickets, at most a hundred, are finished, and when they were last changed (epoch milliseconds). Those that do
   * not exist are missing. Throws `forbidden` where a missing one may exist.
   */
  async lookAt(
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, { closed: boolean; modifiedAt: number }>> {
    const zone = await this.site.zone.get(signal);
    const query = { fields: ['name', 'status', 'modified'], filters: [['name', 'in', names]], limit: names.length };
    const rows = await this.site.service.list('HD Ticket', query, UseRow, signal);
    if (rows.length < names.length) await requireWholeSight(this.site.account, signal);
    return new Map(
      rows.map(({ name, status, modified }) => {
        const modifiedAt = zone.toInstant(modified);
        // Nobody can tell how long it has been closed.
        if (modifiedAt === null) return [name, { closed: false, modifiedAt: 0 }];
        return [name, { closed: finishedStatuses.has(status ?? ''), modifiedAt }];
      }),
    );
  }

  /** Which of these tickets, at most a few hundred, the caller may see: one list, sent in a body, since an address does not hold so many names. */
  async visibleAs(caller: Credential, tickets: readonly TicketKey[], signal: AbortSignal): Promise<TicketKey[]> {
    const names = [...new Set(tickets.map(({ name }) => name))];
    if (names.length === 0) return [];
    const query = {
      doctype: 'HD Ticket',
      fields: ['name', 'creation'],
      filters: [['name', 'in', names]],
      limit_page_length: names.length,
    };
    return (await this.site.as(caller).run('frappe.client.get_list', query, Keys, signal)).message;
  }

  /** Open tickets of customers that have an org id, those that were changed last. None where the site has no such field. */
  async openWithOrgId(limit: number, signal: AbortSignal): Promise<OpenTicket[]> {
    const field = customerFieldOf.platformOrgId;
    return this.site.withFields(signal, async (fields) => {
      if (!fields.has('HD Customer', field)) return [];
      const query = {
        // With a join, a list is ordered by what is selected alone.
        fields: ['name', 'creation', 'modified', 'customer', `customer.${field} as org_id`],
        filters: [
          ['status_category', '!=', finished],
          ['customer', 'is', 'set'],
        ],
        orderBy: 'modified desc',
        limit,
      };
      const rows = await this.site.service.list('HD Ticket', query, OpenRow, signal);
      return rows.flatMap(({ name, creation, customer, org_id }) => {
        const orgId = parseOrgId(org_id);
        return customer && orgId ? [{ name, creation, customer, orgId }] : [];
      });
    });
  }

  /**
   * The customer's newest tickets, read as the caller: what they may not see is left out without a word
   * (docs/helpdesk.md#reading).
   */
  async ofCustomerAs(caller: Credential, customer: string, signal: AbortSignal) {
    const query = {
      fields: listColumns,
      filters: [['customer', '=', customer]],
      orderBy: 'creation desc',
      limit: maxListed + 1,
    };
    const [zone, rows] = await Promise.all([
      this.site.zone.get(signal),
      this.site.as(caller).list('HD Ticket', query, ListRow, signal),
    ]);
    const tickets = rows
      .filter((row) => row.customer === customer)
      .map((row) => ({
        name: row.name,
        subject: textOf(row.subject),
        status: textOf(row.status),
        isOpen: row.status_category !== finished,
        team: textOf(row.agent_group),
        createdAt: zone.toInstant(row.creation),
      }));
    return { tickets: tickets.slice(0, maxListed), isMore: rows.length > maxListed };
  }
}
