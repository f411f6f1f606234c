import * as z from 'zod';
import { among } from './among.ts';
import { DocumentName } from './client.ts';
import type { CustomerTicketList, ListedTicket, RecordPaths } from './customer-tickets.ts';
import { refusalAsOutage } from './frappe-error.ts';
import type { Credential } from './helpdesk.ts';
import { textOf } from './read-ticket.ts';
import type { Site } from './site.ts';

const Row = z.looseObject({ name: DocumentName, customer: z.string().nullish(), _assign: z.string().nullish() });
type Row = z.output<typeof Row>;
const UserRow = z.object({ name: z.string(), full_name: z.string().nullish() });
const Users = z.array(z.string());

const columns = ['name', 'customer', 'subject', 'status', 'agent_group', '_assign', 'creation', 'resolution_date'];
/** The category under which the helpdesk counts every status of a finished ticket, its own and a site's. */
const finished = 'Resolved';
const pages = { ticket: '/helpdesk/tickets', customer: '/helpdesk/customers', contact: '/helpdesk/contacts' };
const forms = { customer: '/app/hd-customer', contact: '/app/contact' };
const maxOpen = 20;
const maxClosed = 5;

/**
 * A customer's tickets as a person may see them: three lists side by side, and one more for the names of those who have
 * them (docs/helpdesk.md#a-customers-tickets).
 */
export async function readCustomerTickets(
  at: Pick<Site, 'client' | 'zone'>,
  { authorization }: Credential,
  customer: string,
  except: string,
  signal: AbortSignal,
): Promise<CustomerTicketList> {
  const list = (filter: readonly unknown[], orderBy: string, limit: number, more: readonly string[] = []) => {
    const filters = [['customer', '=', customer], ['name', '!=', except], filter];
    return at.client
      .list('HD Ticket', { fields: [...columns, ...more], filters, orderBy, limit }, Row, authorization, signal)
      .then((rows) => rows.filter((row) => row.customer === customer));
  };
  const zone = await refusalAsOutage(at.zone.get(signal));
  const [open, closed, [latest]] = await Promise.all([
    list(['status_category', '!=', finished], 'creation desc', maxOpen + 1),
    list(['status_category', '=', finished], 'modified desc', maxClosed, ['modified']),
    list(['last_customer_response', 'is', 'set'], 'last_customer_response desc', 1, ['last_customer_response']),
  ]);
  const rows = [...open.slice(0, maxOpen), ...closed];
  const names = await namesOf(at, [...new Set(rows.flatMap(assigneesOf))], authorization, signal);
  const listed = (row: Row, closedAt: unknown): ListedTicket => ({
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

/** Names of users as the caller sees them; whom they do not see is left out. */
async function namesOf(
  { client }: Pick<Site, 'client'>,
  users: readonly string[],
  caller: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const rows = await among(users, (some) => {
    const query = { fields: ['name', 'full_name'], filters: [['name', 'in', some]], limit: some.length };
    return client.list('User', query, UserRow, caller, signal);
  });
  return new Map(rows.flatMap(({ name, full_name }) => (full_name ? [[name, full_name] as const] : [])));
}

/** The pages of customers and contacts came with the members of a customer, in 1.28. */
export async function readPaths(at: Pick<Site, 'site'>, signal: AbortSignal): Promise<RecordPaths> {
  const hasPages = (await at.site.get(signal)).has('HD Customer', 'contacts');
  const places = hasPages ? pages : { ...pages, ...forms };
  return (kind, name) => `${places[kind]}/${encodeURIComponent(name)}`;
}

/** The users who have a ticket: the helpdesk keeps them as the text of a JSON array, the latest first. */
function assigneesOf({ _assign }: Row): string[] {
  try {
    return Users.parse(JSON.parse(_assign || '[]'));
  } catch {
    return [];
  }
}
