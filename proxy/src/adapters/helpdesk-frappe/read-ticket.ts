import * as z from 'zod';
import { HelpdeskError, type TicketFile } from '../../ports/helpdesk.ts';
import { DocumentName, type FrappeClient, type ListQuery, Named } from './client.ts';
import { FrappeError } from './frappe-error.ts';
import type { SiteFields } from './site-fields.ts';
import { orgIdFields } from './specification-fields.ts';

/** Columns of HelpdeskCustomer and HelpdeskContact besides the name, which the ticket itself has. */
export const customerFields = [
  'customer_name',
  'domain',
  'custom_platform_orgid',
  'custom_myplatform',
  'custom_customer_segment',
  'custom_shopplan_name',
  'custom_crm_company_id',
  'custom_crm_company_url',
  'custom_crm_sync_status',
  'custom_crm_last_synced_at',
  'custom_crm_last_checked_at',
] as const;
export const contactFields = ['full_name', 'email_id', 'phone', 'mobile_no'] as const;
const optionalTicketFields = [...orgIdFields, 'custom_responsible', 'via_customer_portal'] as const;

/** A row of `joinedQuery`. */
export const TicketRow = z.looseObject({ name: DocumentName, owner: z.string() });
type Row = z.output<typeof TicketRow>;

/**
 * Reads a ticket with its customer and contact as the caller, in one list with joins (design.md, decision 14). Only
 * when that is empty, a second request tells 'may not read' from 'no such ticket'.
 *
 * @throws FrappeError with `DataError` where the site no longer has one of the fields
 */
export async function readTicket(
  client: FrappeClient,
  fields: SiteFields,
  caller: string,
  name: string,
  signal: AbortSignal,
): Promise<TicketFile> {
  const [row] = await client.list('HD Ticket', joinedQuery(fields, name), TicketRow, caller, signal);
  if (row === undefined) throw await whyNotListed(client, caller, name, signal);
  // Older versions look up `2abc` as ticket 2 (facts/live.md 1.1).
  if (row.name !== name) throw noSuchTicket();
  return toFile(row, fields);
}

/** Why a list leaves a ticket out: there is none of this very name, or the user may not list it. Reads it to know. */
export async function whyNotListed(
  client: FrappeClient,
  user: string,
  name: string,
  signal: AbortSignal,
): Promise<HelpdeskError> {
  const schema = z.object({ message: Named });
  const found = await client.call('frappe.client.get', { doctype: 'HD Ticket', name }, schema, user, signal);
  if (found.message.name !== name) return noSuchTicket();
  return new FrappeError('forbidden', 'The helpdesk leaves the ticket out of what this user may list.', null);
}

/** Asks for a ticket with what is known of its customer and contact; `more` are columns of the ticket itself. */
export function joinedQuery(fields: SiteFields, name: string, more: readonly string[] = []): ListQuery {
  const columns = [
    ...['name', 'owner', 'subject', 'customer', 'contact', 'raised_by', 'agent_group'],
    ...optionalTicketFields.filter((field) => fields.has('HD Ticket', field)),
    ...customerFields
      .filter((field) => fields.has('HD Customer', field))
      .map((field) => `customer.${field} as customer_${field}`),
    ...contactFields
      .filter((field) => fields.has('Contact', field))
      .map((field) => `contact.${field} as contact_${field}`),
    ...more,
  ];
  return {
    fields: [...new Set(columns)],
    filters: [['name', '=', name]],
    limit: 1,
  };
}

/** The ticket of a row with its customer and contact. */
export function toFile(row: Row, fields: SiteFields): TicketFile {
  const customer = textOf(row.customer);
  const contact = textOf(row.contact);
  const linked = <F extends string>(prefix: string, names: readonly F[]) =>
    Object.fromEntries(names.map((field) => [field, textOf(row[`${prefix}_${field}`])])) as Record<F, string | null>;
  return {
    ticket: {
      name: row.name,
      subject: textOf(row.subject),
      customer,
      contact,
      agentGroup: textOf(row.agent_group),
      origin: {
        owner: row.owner,
        raisedBy: textOf(row.raised_by),
        viaCustomerPortal: Number(row.via_customer_portal) === 1,
      },
      orgIdFields: orgIdFields
        .filter((field) => fields.has('HD Ticket', field))
        .map((field) => ({ field, value: row[field] ?? null })),
      responsible: fields.has('HD Ticket', 'custom_responsible') ? textOf(row.custom_responsible) : undefined,
    },
    customer: customer === null ? null : { name: customer, ...linked('customer', customerFields) },
    contact: contact === null ? null : { name: contact, ...linked('contact', contactFields) },
  };
}

/** A value as the panel shows it. The helpdesk has both null and '' for 'not set', and numbers in fields of type Int. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

export function noSuchTicket(): HelpdeskError {
  return new HelpdeskError('not_found', 'The helpdesk has no ticket of this name.');
}
