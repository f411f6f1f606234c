import type { FieldChange } from '@deskside/shared/enrichment';
import * as z from 'zod';
import { DocumentName, Named } from './client.ts';
import { FrappeError } from './frappe-error.ts';
import { HelpdeskError } from './helpdesk.ts';
import type { TicketLink } from './helpdesk-records.ts';
import type { PipelineTicket, RoutingFields } from './helpdesk-tickets.ts';
import { planBack, planWrite } from './plan-write.ts';
import { noSuchTicket, textOf, whyNotListed } from './read-ticket.ts';
import type { Site } from './site.ts';
import { checkTimes, desiredOf } from './ticket-fields.ts';

const Linked = z.object({ name: DocumentName, customer: z.string().nullish() });
const Row = Linked.extend({ modified: z.string() });

// What is written to a ticket: routing decisions as `HelpdeskTickets` has them, the link to its customer as
// `HelpdeskRecords` has it, and its account owner.

type Written = FieldChange[] | 'changed_meanwhile';

/** Writes what differs in one request. */
export async function writeRouting(
  at: Site,
  ticket: PipelineTicket,
  desired: RoutingFields,
  signal: AbortSignal,
): Promise<Written> {
  const { fields, siteTime } = await schema(at, signal);
  const { changes, values, skippedFields } = planWrite(fields, siteTime, ticket.stored, desiredOf(desired, fields));
  at.report('HD Ticket', skippedFields);
  // Every write makes the agent's page reload (docs/decisions.md 16).
  if (changes.every(({ field, from }) => checkTimes.has(field) && from !== null)) return [];
  return (await update(at, ticketOf(ticket), values, signal)) === null ? 'changed_meanwhile' : changes;
}

/** Clears those of the written values that the ticket still shows, or writes what `instead` has for them. */
export async function clearRouting(
  at: Site,
  ticket: PipelineTicket,
  written: RoutingFields,
  instead: RoutingFields,
  signal: AbortSignal,
): Promise<Written> {
  const { fields, siteTime } = await schema(at, signal);
  const plan = (desired: RoutingFields) => planWrite(fields, siteTime, ticket.stored, desiredOf(desired, fields));
  const isShown = (member: string, value: unknown) => {
    const { changes, skippedFields } = plan({ [member]: value });
    return changes.length === 0 && skippedFields.length === 0;
  };
  const due = Object.entries(written).filter(([member, value]) => isShown(member, value));
  const others = Object.entries(instead).filter(([member]) => !(member in written));
  const replaced = due.map(([member]) => [member, instead[member as keyof RoutingFields] ?? null]);
  // A field that the site lacks has nothing to clear, so nothing is reported.
  const { changes, values } = plan(Object.fromEntries([...replaced, ...others]));
  if (changes.length === 0) return [];
  return (await update(at, ticketOf(ticket), values, signal)) === null ? 'changed_meanwhile' : changes;
}

/** Takes back changes as far as their fields still show what was written. */
export async function takeBackRouting(
  at: Site,
  ticket: PipelineTicket,
  changes: readonly FieldChange[],
  signal: AbortSignal,
): Promise<Written> {
  const { fields } = await schema(at, signal);
  const { due, values } = planBack(fields, ticket.stored, changes);
  if (due.length === 0) return [];
  return (await update(at, ticketOf(ticket), values, signal)) === null ? 'changed_meanwhile' : due;
}

/** The link from a ticket to its customer. */
export async function readTicketLink({ client, service }: Site, ticket: string, signal: AbortSignal) {
  const query = { fields: ['name', 'customer', 'modified'], filters: [['name', '=', ticket]], limit: 1 };
  const [row] = await client.list('HD Ticket', query, Row, service, signal);
  if (row === undefined) throw await whyNotListed(client, service, ticket, signal);
  if (row.name !== ticket) throw noSuchTicket();
  return { name: row.name, customer: textOf(row.customer), modified: row.modified };
}

/** Links the ticket, or unlinks it with null. */
export async function linkTicket(
  at: Site,
  { name, customer: present, modified }: TicketLink,
  customer: string | null,
  signal: AbortSignal,
): Promise<'linked' | 'unchanged' | 'changed_meanwhile'> {
  if (present === customer) return 'unchanged';
  const written = await update(at, { name, modified }, { customer }, signal);
  if (written === null) return 'changed_meanwhile';
  // A ticket without a customer gets that of its contact again.
  if (textOf(written.customer) !== customer) {
    throw new HelpdeskError('rejected', 'The helpdesk put a different customer on the ticket than requested.');
  }
  return 'linked';
}

/** Its account owner. */
export async function writeResponsible(
  { client, service, site, enqueue }: Site,
  ticket: string,
  email: string,
  signal: AbortSignal,
): Promise<void> {
  if (!(await site.get(signal)).has('HD Ticket', 'custom_responsible')) return;
  const write = () => client.update('HD Ticket', ticket, { custom_responsible: email }, Named, service, signal);
  const written = await enqueue('HD Ticket', ticket, signal, write);
  if (written.name !== ticket) throw noSuchTicket();
}

async function schema({ site, zone }: Site, signal: AbortSignal) {
  return { fields: (await site.get(signal)).of('HD Ticket'), siteTime: await zone.get(signal) };
}

function ticketOf({ file, modified }: PipelineTicket) {
  return { name: file.ticket.name, modified };
}

/** Null if somebody has written to the ticket since it was read. */
async function update(
  { client, service, enqueue }: Site,
  { name, modified }: { name: string; modified: string },
  values: Record<string, unknown>,
  signal: AbortSignal,
): Promise<z.output<typeof Linked> | null> {
  const write = () => client.update('HD Ticket', name, { ...values, modified }, Linked, service, signal);
  try {
    const written = await enqueue('HD Ticket', name, signal, write);
    if (written.name !== name) throw noSuchTicket();
    return written;
  } catch (error) {
    if (error instanceof FrappeError && error.excType === 'TimestampMismatchError') return null;
    throw error;
  }
}
