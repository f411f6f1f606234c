import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import { customerFieldOf } from './fields.ts';
import { DocumentName, Named } from './frappe.ts';
import { type Credential, SitePart } from './site.ts';
import { finishedStatuses } from './tickets.ts';
import { textOf } from './values.ts';

/** A ticket as lists show it. The instant in epoch milliseconds, null if unknown. */
interface ListedTicket {
  name: string;
  subject: string | null;
  status: string | null;
  isOpen: boolean;
  team: string | null;
  createdAt: number | null;
}

/** A customer's tickets, newest first, as one person may see them. */
interface CustomerTicketList {
  tickets: ListedTicket[];
  /** There are more than these. */
  isMore: boolean;
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
   * The customer's newest tickets, read as the caller: what they may not see is left out without a word
   * (docs/helpdesk.md#reading).
   */
  async ofCustomerAs(caller: Credential, customer: string, signal: AbortSignal): Promise<CustomerTicketList> {
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
