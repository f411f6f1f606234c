import { parseOrgId } from '@deskside/shared/orgid';
import type { HelpdeskCustomer } from '@deskside/shared/profile';
import * as z from 'zod';
import { DocumentName, type FrappeClient, type ListQuery, Named } from './client.ts';
import { customerFieldOf } from './customer-fields.ts';
import { FrappeError } from './frappe-error.ts';
import { type Customer, HelpdeskError, type TicketFile } from './helpdesk.ts';
import type { CustomerRecord } from './helpdesk-records.ts';
import type { SiteFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import { orgIdFields } from './ticket-fields.ts';

/** Columns of HelpdeskCustomer and HelpdeskContact apart from the name, which is on the ticket itself. */
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
const optionalTicketFields = [...orgIdFields.map(({ field }) => field), 'custom_responsible', 'ticket_split_from'];

/** A row of `joinedQuery`. */
export const TicketRow = z.looseObject({ name: DocumentName, owner: z.string(), creation: z.string() });
type Row = z.output<typeof TicketRow>;

/**
 * Reads a ticket with its customer and contact as the caller, in one list with joins (docs/decisions.md 14). Only if
 * that is empty, a second request distinguishes 'may not read' from 'no such ticket'.
 *
 * @throws FrappeError with `DataError` if the site no longer has one of the fields
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
  // Older versions look up `2abc` as ticket 2 (docs/helpdesk.md#names).
  if (row.name !== name) throw noSuchTicket();
  return toFile(row, fields);
}

/**
 * Why a list leaves a ticket out: there is none with exactly this name, or the user may not list it. Reads it to find
 * out.
 */
export async function whyNotListed(
  client: FrappeClient,
  user: string,
  name: string,
  signal: AbortSignal,
): Promise<HelpdeskError> {
  const schema = z.object({ message: Named });
  const found = await client.call('frappe.client.get', { doctype: 'HD Ticket', name }, schema, user, signal);
  if (found.message.name !== name) return noSuchTicket();
  return new FrappeError('forbidden', 'The helpdesk does not list the ticket for this user.', null);
}

/** A column of the ticket's customer. */
export function ofCustomer(field: string): string {
  return `customer.${field} as customer_${field}`;
}

/** The request for a ticket with its customer and contact; `more` are further columns of the ticket itself. */
export function joinedQuery(fields: SiteFields, name: string, more: readonly string[] = []): ListQuery {
  const columns = [
    ...['name', 'creation', 'owner', 'subject', 'customer', 'contact', 'contact.owner as contact_owner'],
    ...['raised_by', 'agent_group'],
    ...optionalTicketFields.filter((field) => fields.has('HD Ticket', field)),
    ...customerFields.filter((field) => fields.has('HD Customer', field)).map(ofCustomer),
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

/** The ticket in a row, with its customer and contact. */
export function toFile(row: Row, fields: SiteFields): TicketFile {
  const customer = textOf(row.customer);
  const contact = textOf(row.contact);
  const subject = textOf(row.subject);
  const agentGroup = textOf(row.agent_group);
  const raisedBy = textOf(row.raised_by);
  const custom_orgid = textOf(row.custom_orgid);
  const linked = <F extends string>(prefix: string, names: readonly F[]) =>
    Object.fromEntries(names.map((field) => [field, textOf(row[`${prefix}_${field}`])])) as Record<F, string | null>;
  return {
    ticket: {
      name: row.name,
      creation: row.creation,
      splitFrom: textOf(row.ticket_split_from),
      subject,
      customer,
      customerOrgId: parseOrgId(row[`customer_${customerFieldOf.platformOrgId}`]),
      contact,
      contactOwner: textOf(row.contact_owner),
      agentGroup,
      origin: { owner: row.owner, raisedBy },
      orgIdFields: orgIdFields
        .filter(({ field }) => fields.has('HD Ticket', field))
        .map(({ field, kind }) => ({ field, kind, value: row[field] ?? null })),
      responsible: fields.has('HD Ticket', 'custom_responsible') ? textOf(row.custom_responsible) : undefined,
      record: {
        name: row.name,
        subject,
        customer,
        contact,
        raised_by: raisedBy,
        agent_group: agentGroup,
        custom_orgid,
      },
    },
    customer: customer === null ? null : toCustomer({ name: customer, ...linked('customer', customerFields) }),
    contact: contact === null ? null : { name: contact, ...linked('contact', contactFields) },
  };
}

/** A customer made from its record, in which fields that the site lacks are null. */
export function toCustomer(record: HelpdeskCustomer): Customer {
  const orgIdField = customerFieldOf.platformOrgId;
  return {
    name: record.name,
    orgIdField: { field: orgIdField, value: record[orgIdField] },
    segment: record[customerFieldOf.segment],
    shopPlan: record[customerFieldOf.shopPlan],
    crmCompanyId: record[customerFieldOf.crmCompanyId],
    crmCompanyUrl: record[customerFieldOf.crmCompanyUrl],
    syncStatus: record[customerFieldOf.syncStatus],
    record,
  };
}

/** A customer as it is read for writing, made from its row. */
export function toCustomerRecord(
  row: Readonly<Record<string, unknown>> & { name: string; modified: string },
  zone: SiteZone,
): CustomerRecord {
  const { name, modified, ...stored } = row;
  return {
    name,
    modified,
    orgId: parseOrgId(stored[customerFieldOf.platformOrgId]),
    crmCompanyId: textOf(stored[customerFieldOf.crmCompanyId]),
    companyModifiedAt: zone.toInstant(stored[customerFieldOf.companyModifiedAt]),
    lastCheckedAt: zone.toInstant(stored[customerFieldOf.lastCheckedAt]),
    stored,
  };
}

/** A value as the panel shows it. In the helpdesk both null and '' mean 'not set', and Int fields hold numbers. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** `_assign` is the text of a JSON array; empty or null if nobody is assigned. */
export function assigneesIn(assign: string | null | undefined): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(assign || '[]'));
  } catch {
    throw new HelpdeskError('bad_answer', 'The helpdesk lists the assignees of a ticket in an unknown format.');
  }
}

export function noSuchTicket(): HelpdeskError {
  return new HelpdeskError('not_found', 'The helpdesk has no ticket with this name.');
}
