import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import { customerFieldOf } from './fields.ts';
import { among, DocumentName, type Frappe, Named } from './frappe.ts';
import type { Credential, Site } from './site.ts';
import { finishedStatuses } from './tickets.ts';
import { textOf } from './values.ts';

/** A ticket as lists show it. Instants in epoch milliseconds, null if unknown. */
export interface ListedTicket {
  name: string;
  subject: string | null;
  status: string | null;
  team: string | null;
  /** Names of the people who have it; a user id where the helpdesk tells no name. */
  assignees: string[];
  createdAt: number | null;
  /** Null while it is open. */
  closedAt: number | null;
}

/** A customer's tickets, newest first, as one person may see them. */
export interface CustomerTicketList {
  open: ListedTicket[];
  /** There are more open ones than these. */
  moreOpen: boolean;
  /** The last ones that were finished. */
  closed: ListedTicket[];
  /** When somebody last wrote for the customer, and on which ticket. */
  lastContact: { at: number; ticket: string } | null;
}

/** An open ticket of a customer that has an org id. */
export interface OpenTicket extends TicketKey {
  customer: string;
  orgId: OrgId;
}

/** What makes a ticket out: names can be reused. `creation`: the helpdesk's own timestamp, opaque. */
interface TicketKey {
  name: string;
  creation: string;
}

/** A page of tickets found by the sweep. */
interface SweptPage {
  tickets: { name: string; creation: string; modified: string }[];
  /** Names of tickets whose row could not be read, for want of a timestamp for example; '' where there is not even one. */
  unreadable: string[];
}

const Swept = z.object({ name: DocumentName, creation: z.string(), modified: z.string() });
const Nameless = z.object({ name: DocumentName.catch('') }).catch({ name: '' });
const LookedAt = z.object({ name: DocumentName, status: z.string().nullish(), modified: z.unknown() });
const Names = z.object({ message: z.array(Named) });
const Key = z.object({ name: DocumentName, creation: z.string() });
const Keys = z.object({ message: z.array(Key) });
const OpenRow = Key.extend({ customer: z.string().nullish(), org_id: z.unknown() });
const Settings = z.object({ restrict_tickets_by_agent_group: z.unknown() });
const ListRow = z.looseObject({ name: DocumentName, customer: z.string().nullish(), _assign: z.string().nullish() });
type ListRow = z.output<typeof ListRow>;
const UserRow = z.object({ name: z.string(), full_name: z.string().nullish() });
const Users = z.array(z.string());

const listColumns = ['name', 'customer', 'subject', 'status', 'agent_group', '_assign', 'creation', 'resolution_date'];
/** The category under which the helpdesk counts every status of a finished ticket, its own and a site's. */
const finished = 'Resolved';
const maxOpen = 20;
const maxClosed = 5;

/** Many tickets in one list. Every method may throw HelpdeskError. */
export class TicketLists {
  private readonly site: Site;
  constructor(site: Site) {
    this.site = site;
  }

  /**
   * Tickets modified at or after the timestamp, ordered by `modified` and name: at most `limit`, after skipping
   * `offset`. One that cannot be read does not keep the others from being listed.
   */
  async modifiedSince(
    since: string,
    { limit, offset }: { limit: number; offset: number },
    signal: AbortSignal,
  ): Promise<SweptPage> {
    const query = {
      fields: ['name', 'creation', 'modified'],
      filters: [['modified', '>=', since]],
      orderBy: 'modified asc, name asc',
      start: offset,
      limit,
    };
    const rows = await this.site.service.list('HD Ticket', query, z.unknown(), signal);
    const read = rows.map((row) => Swept.safeParse(row));
    return {
      tickets: read.flatMap(({ data }) => data ?? []),
      unreadable: rows.filter((_, index) => !read[index]?.success).map((row) => Nameless.parse(row).name),
    };
  }

  /**
   * Whether tickets, at most a hundred, are finished, and when they were last changed (epoch milliseconds). Those that do
   * not exist, or that the service account may not see, are missing.
   */
  async lookAt(
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, { closed: boolean; modifiedAt: number }>> {
    const zone = await this.site.zone.get(signal);
    const query = { fields: ['name', 'status', 'modified'], filters: [['name', 'in', names]], limit: names.length };
    const rows = await this.site.service.list('HD Ticket', query, LookedAt, signal);
    return new Map(
      rows.map(({ name, status, modified }) => {
        const modifiedAt = zone.toInstant(modified);
        // Nobody can tell how long it has been closed.
        if (modifiedAt === null) return [name, { closed: false, modifiedAt: 0 }];
        return [name, { closed: finishedStatuses.has(status ?? ''), modifiedAt }];
      }),
    );
  }

  /**
   * Which of these names, at most a hundred, no ticket has: exactly compared, and sent in a body, because so many long
   * names are more than an address can hold. Where tickets are restricted to their teams a list says nothing of those that
   * it leaves out (docs/helpdesk.md#permissions), and none counts as missing.
   */
  async missingAmong(names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const { service } = this.site;
    const filters = [['name', 'in', names]];
    const query = { doctype: 'HD Ticket', fields: ['name'], filters, limit_page_length: names.length };
    const { message: rows } = await service.run('frappe.client.get_list', query, Names, signal);
    const there = new Set(rows.map(({ name }) => name));
    const missing = new Set(names.filter((name) => !there.has(name)));
    if (missing.size === 0) return missing;
    const settings = await service.get('HD Settings', 'HD Settings', Settings, signal);
    return Number(settings.restrict_tickets_by_agent_group) === 0 ? missing : new Set();
  }

  /** Which of these tickets, at most a few hundred, the caller may see: one list, sent in a body as above. */
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
   * The customer's tickets but the one named by `except`, read as the caller: what they may not see is left out without a
   * word. Three lists side by side, and one more for the names of those who have them
   * (docs/helpdesk.md#a-customers-tickets).
   */
  async ofCustomerAs(
    caller: Credential,
    customer: string,
    except: string,
    signal: AbortSignal,
  ): Promise<CustomerTicketList> {
    const frappe = this.site.as(caller);
    const list = async (filter: readonly unknown[], orderBy: string, limit: number, more: readonly string[] = []) => {
      const filters = [['customer', '=', customer], ['name', '!=', except], filter];
      const query = { fields: [...listColumns, ...more], filters, orderBy, limit };
      const rows = await frappe.list('HD Ticket', query, ListRow, signal);
      return rows.filter((row) => row.customer === customer);
    };
    const zone = await this.site.zone.get(signal);
    const [open, closed, [latest]] = await Promise.all([
      list(['status_category', '!=', finished], 'creation desc', maxOpen + 1),
      list(['status_category', '=', finished], 'modified desc', maxClosed, ['modified']),
      list(['last_customer_response', 'is', 'set'], 'last_customer_response desc', 1, ['last_customer_response']),
    ]);
    const rows = [...open.slice(0, maxOpen), ...closed];
    const names = await namesOf(frappe, [...new Set(rows.flatMap(assigneesOf))], signal);
    const listed = (row: ListRow, closedAt: unknown): ListedTicket => ({
      name: row.name,
      subject: textOf(row.subject),
      status: textOf(row.status),
      team: textOf(row.agent_group),
      assignees: assigneesOf(row).map((user) => names.get(user) ?? user),
      createdAt: zone.toInstant(row.creation),
      closedAt: zone.toInstant(closedAt),
    });
    const lastAt = zone.toInstant(latest?.last_customer_response);
    return {
      open: open.slice(0, maxOpen).map((row) => listed(row, null)),
      moreOpen: open.length > maxOpen,
      // Only a service level records when a ticket was finished.
      closed: closed.map((row) => listed(row, row.resolution_date ?? row.modified)),
      lastContact: latest === undefined || lastAt === null ? null : { at: lastAt, ticket: latest.name },
    };
  }
}

/** Names of users as the caller sees them; whom they do not see is left out. */
async function namesOf(frappe: Frappe, users: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
  const rows = await among(users, (some) => {
    const query = { fields: ['name', 'full_name'], filters: [['name', 'in', some]], limit: some.length };
    return frappe.list('User', query, UserRow, signal);
  });
  return new Map(rows.flatMap(({ name, full_name }) => (full_name ? [[name, full_name] as const] : [])));
}

/** The users who have a ticket: the helpdesk keeps them as the text of a JSON array, the latest first. */
function assigneesOf({ _assign }: ListRow): string[] {
  try {
    return Users.parse(JSON.parse(_assign || '[]'));
  } catch {
    return [];
  }
}
