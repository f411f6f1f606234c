import * as z from 'zod';
import { htmlToText } from '../../domain/html-to-text.ts';
import type { PipelineTicket } from '../../ports/helpdesk-tickets.ts';
import { AnswerTooLarge, type FrappeClient } from './client.ts';
import { joinedQuery, noSuchTicket, TicketRow, textOf, toFile, whyNotListed } from './read-ticket.ts';
import type { SiteFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import { intakeFields, routingColumns } from './ticket-fields.ts';

const Row = TicketRow.extend({ creation: z.string(), modified: z.string(), modified_by: z.string() });

/** Columns that every list gives, whether the DocType describes them or not. */
const standardColumns = ['creation', 'modified', 'modified_by'];
/** Left out where the site has none of the name. */
const optionalColumns = [
  ...['key', 'status', 'first_responded_on', 'last_agent_response'],
  ...intakeFields,
  ...routingColumns,
];

/**
 * Reads a ticket for the pipeline in one list with joins. A description that is too large to be read is left empty, so
 * that its sender cannot keep his ticket from being routed.
 *
 * @param service Authorization header of the service account
 * @throws HelpdeskError `not_found` also for a name that the database would coerce to another (design.md, decision 13)
 * @throws FrappeError with `DataError` where the site no longer has one of the fields
 */
export async function readPipelineTicket(
  deps: { client: FrappeClient; service: string; fields: SiteFields; zone: SiteZone },
  name: string,
  signal: AbortSignal,
): Promise<PipelineTicket> {
  const { client, service, fields, zone } = deps;
  const columns = [...standardColumns, ...optionalColumns.filter((field) => fields.has('HD Ticket', field))];
  const list = (more: string[]) =>
    client.list('HD Ticket', joinedQuery(fields, name, [...columns, ...more]), Row, service, signal);
  const [row] = await list(['description']).catch((error: unknown) => {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return list([]);
  });
  if (row === undefined) throw await whyNotListed(client, service, name, signal);
  if (row.name !== name) throw noSuchTicket();
  return {
    file: toFile(row, fields),
    key: textOf(row.key),
    status: textOf(row.status) ?? '',
    description: htmlToText(textOf(row.description) ?? ''),
    creation: row.creation,
    modified: row.modified,
    modifiedBy: row.modified_by,
    replied: textOf(row.first_responded_on) !== null || textOf(row.last_agent_response) !== null,
    intakeFields: intakeFields.flatMap((field) => {
      const value = textOf(row[field])?.trim() ?? '';
      return value === '' ? [] : [{ field, value }];
    }),
    segment: textOf(row.custom_customer_segment),
    reason: textOf(row.custom_platform_routing_reason),
    customerCheckedAt: zone.toInstant(row.customer_custom_crm_last_checked_at),
    stored: Object.fromEntries(routingColumns.map((field) => [field, row[field] ?? null])),
  };
}
