import * as z from 'zod';
import { AnswerTooLarge, DocumentName } from './client.ts';
import { customerFieldOf } from './customer-fields.ts';
import type { CustomerRecord } from './helpdesk-records.ts';
import type { PipelineTicket } from './helpdesk-tickets.ts';
import { htmlToText } from './html-to-text.ts';
import {
  assigneesIn,
  joinedQuery,
  noSuchTicket,
  ofCustomer,
  TicketRow,
  textOf,
  toCustomerRecord,
  toFile,
  whyNotListed,
} from './read-ticket.ts';
import type { Site } from './site.ts';
import { type SiteFields, withFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import { domainFields, intakeFields, routingColumns } from './ticket-fields.ts';

const Row = TicketRow.extend({
  modified: z.string(),
  modified_by: z.string(),
  _assign: z.string().nullish(),
  customer_modified: z.string().nullish(),
});

/** Columns that every list returns, whether or not the DocType describes them. */
const standardColumns = ['modified', 'modified_by', '_assign', 'customer.modified as customer_modified'];
/** What a customer is written by. */
const customerColumns = Object.values(customerFieldOf);
/** Statuses of tickets that need nobody any more (docs/helpdesk.md#assignment). */
export const finishedStatuses: ReadonlySet<string> = new Set(['Resolved', 'Closed']);
/** Left out if the site does not have them. */
const optionalColumns = [
  ...['key', 'status', 'first_responded_on', 'last_agent_response'],
  ...intakeFields,
  ...routingColumns,
];

const Message = z.object({ content: z.string().nullish(), creation: z.string() });
const Conversation = z.object({
  message: z.object({ name: DocumentName, communications: z.array(Message).optional() }),
});

/**
 * Reads a ticket for the pipeline in one list with joins. A description that is too large to read is left empty, so
 * that its sender cannot keep the ticket from being routed.
 *
 * @throws HelpdeskError `not_found`, also for a name that the database would coerce to another (docs/decisions.md 13)
 */
export async function readPipelineTicket(at: Site, name: string, signal: AbortSignal): Promise<PipelineTicket> {
  const zone = await at.zone.get(signal);
  return withFields(at.site, signal, (fields) => read({ ...at, fields, zone }, name, signal));
}

async function read(
  { client, service, fields, zone }: Pick<Site, 'client' | 'service'> & { fields: SiteFields; zone: SiteZone },
  name: string,
  signal: AbortSignal,
): Promise<PipelineTicket> {
  const columns = [
    ...standardColumns,
    ...optionalColumns.filter((field) => fields.has('HD Ticket', field)),
    ...customerColumns.filter((field) => fields.has('HD Customer', field)).map(ofCustomer),
  ];
  const list = (more: string[]) =>
    client.list('HD Ticket', joinedQuery(fields, name, [...columns, ...more]), Row, service, signal);
  const [row] = await list(['description']).catch((error: unknown) => {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return list([]);
  });
  if (row === undefined) throw await whyNotListed(client, service, name, signal);
  if (row.name !== name) throw noSuchTicket();
  const status = textOf(row.status) ?? '';
  const filled = (field: string) => textOf(row[field])?.trim() || null;
  return {
    file: toFile(row, fields),
    customerRecord: customerOf(row, fields, zone),
    assignees: assigneesIn(row._assign),
    key: textOf(row.key),
    status,
    closed: finishedStatuses.has(status),
    description: htmlToText(textOf(row.description) ?? ''),
    creation: row.creation,
    modified: row.modified,
    modifiedBy: row.modified_by,
    replied: textOf(row.first_responded_on) !== null || textOf(row.last_agent_response) !== null,
    intakeFields: intakeFields.flatMap((field) => {
      const value = filled(field);
      return value === null ? [] : [{ field, value }];
    }),
    platformDomain: domainFields.flatMap((field) => filled(field) ?? [])[0] ?? null,
    segment: textOf(row.custom_customer_segment),
    reason: textOf(row.custom_platform_routing_reason),
    profileError: textOf(row.custom_platform_profile_error),
    customerCheckedAt: zone.toInstant(row.customer_custom_crm_last_checked_at),
    stored: Object.fromEntries(routingColumns.map((field) => [field, row[field] ?? null])),
  };
}

/** The customer, with the values that a write to it is compared against; null without one. */
function customerOf(row: z.output<typeof Row>, fields: SiteFields, zone: SiteZone): CustomerRecord | null {
  const name = textOf(row.customer);
  if (name === null || !row.customer_modified) return null;
  const known = customerColumns.filter((field) => fields.has('HD Customer', field));
  const stored = Object.fromEntries(known.map((field) => [field, row[`customer_${field}`] ?? null]));
  return toCustomerRecord({ ...stored, name, modified: row.customer_modified }, zone);
}

/**
 * Plain text of a ticket's oldest message; empty if there is none, or if the conversation is too large to read. A
 * ticket that arrived by e-mail may have no description of its own (docs/helpdesk.md#inserting-a-ticket).
 */
export async function readFirstMessage(
  { client, service }: Site,
  ticket: string,
  signal: AbortSignal,
): Promise<string> {
  const method = 'helpdesk.helpdesk.doctype.hd_ticket.api.get_one';
  try {
    const { message } = await client.call(method, { name: ticket }, Conversation, service, signal);
    if (message.name !== ticket) throw noSuchTicket();
    const [first] = (message.communications ?? []).toSorted((a, b) => (a.creation < b.creation ? -1 : 1));
    return htmlToText(first?.content ?? '');
  } catch (error) {
    if (error instanceof AnswerTooLarge) return '';
    throw error;
  }
}
