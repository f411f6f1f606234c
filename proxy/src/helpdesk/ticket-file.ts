import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { HelpdeskContact, HelpdeskCustomer, TicketRef } from '@deskside/shared/profile';
import * as z from 'zod';
import { type CustomerRecord, contactColumns, customerColumns, toCustomerRecord } from './customers.ts';
import { AnswerTooLarge, HelpdeskError, noSuch } from './errors.ts';
import { customerFieldOf, domainFields, intakeFields, orgIdFields, routingColumns } from './fields.ts';
import { DocumentName, type Frappe, type ListQuery, NamedDocument } from './frappe.ts';
import { htmlToText } from './html-to-text.ts';
import type { SiteFields } from './site.ts';
import type { SiteZone } from './site-time.ts';
import { textOf } from './text.ts';

/** How a ticket came to be, as far as the helpdesk itself vouches for it. */
interface TicketOrigin {
  /** The user whose session created it; set by the helpdesk, not writable. */
  owner: string;
  /** The sender's address; anyone can write to the helpdesk under any address. */
  raisedBy: string | null;
}

export interface Ticket {
  /** As the helpdesk spells it, always a string. */
  name: string;
  /** The helpdesk's own timestamp, which tells tickets apart that had the same name. */
  creation: string;
  /** The ticket that it says it was split from; the sender can write it. */
  splitFrom: string | null;
  subject: string | null;
  customer: string | null;
  /** The org id on that customer's record. */
  customerOrgId: OrgId | null;
  contact: string | null;
  /** The account that made the contact's record. */
  contactOwner: string | null;
  agentGroup: string | null;
  origin: TicketOrigin;
  /**
   * Fields that may hold an org id, with their raw values, in their order (decision 5: order of org ids); those that the
   * site lacks are left out. `current`: the one that people and intake use today. `profile` and `older`: former ones.
   */
  orgIdFields: { kind: 'current' | 'profile' | 'older'; field: string; value: unknown }[];
  /** The account owner's e-mail on the ticket; undefined if the site has no such field. */
  responsible: string | null | undefined;
  /** The same ticket in the shape of the contract. */
  record: TicketRef;
}

/** A ticket with the customer and contact that it links to. */
export interface TicketFile {
  ticket: Ticket;
  customer: HelpdeskCustomer | null;
  contact: HelpdeskContact | null;
}

/** A ticket as the pipeline sees it, read as the service account. Its texts come from the sender and are untrusted. */
export interface PipelineTicket {
  file: TicketFile;
  /** Its customer as it is read for writing; null without one. */
  customerRecord: CustomerRecord | null;
  /** Who has it. */
  assignees: readonly string[];
  /**
   * The helpdesk's uuid of the ticket, which its sender cannot choose (docs/helpdesk.md#inserting-a-ticket); null if
   * unknown.
   */
  key: string | null;
  /** In the helpdesk's own words; only ever compared. */
  status: string;
  /** Whether a ticket with this status is finished. */
  closed: boolean;
  /** The description as plain text, without tags; empty for a ticket that has just arrived by e-mail. */
  description: string;
  /** The helpdesk's own timestamp, for optimistic locking: opaque, but a later one is the greater text. */
  modified: string;
  modifiedBy: string;
  /** Whether the support team has replied. */
  replied: boolean;
  /** The intake fields that the site has, in the order of docs/routing.md#intake, with their text. */
  intakeFields: { field: string; value: string }[];
  /** The shop's domain below the platform, as on the ticket. */
  platformDomain: string | null;
  /** As on the ticket; the sender can write it. */
  segment: string | null;
  reason: string | null;
  /** The error that the ticket shows. */
  profileError: string | null;
  /** The values that a write is compared against. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** Statuses of tickets that need nobody any more (docs/helpdesk.md#assignment). */
export const finishedStatuses: ReadonlySet<string> = new Set(['Resolved', 'Closed']);

export const FileRow = z.looseObject({ name: DocumentName, owner: z.string(), creation: z.string() });

export const PipelineRow = FileRow.extend({
  modified: z.string(),
  modified_by: z.string(),
  _assign: z.string().nullish(),
  customer_modified: z.string().nullish(),
});

const optionalTicketFields = [...orgIdFields.map(({ field }) => field), 'custom_responsible', 'ticket_split_from'];

/** Columns that every list returns, whether or not the DocType describes them. */
const standardColumns = ['modified', 'modified_by', '_assign', 'customer.modified as customer_modified'];

/** What a customer is written by. */
const customerWriteColumns = Object.values(customerFieldOf);

/** Left out if the site does not have them. */
const optionalColumns = [
  ...['key', 'status', 'first_responded_on', 'last_agent_response'],
  ...intakeFields,
  ...routingColumns,
];

/**
 * The row, if it is of the ticket that was asked for: older versions look up `2abc` as ticket 2 (docs/helpdesk.md#names).
 * Where there is none, there is no ticket of exactly this name or the account may not list it: one more request tells.
 */
export async function rowNamed<T extends { name: string }>(
  frappe: Frappe,
  row: T | undefined,
  name: string,
  signal: AbortSignal,
): Promise<T> {
  if (row === undefined) {
    const found = await frappe.get('HD Ticket', name, NamedDocument, signal);
    if (found.name === name) throw frappe.forbidden('The helpdesk does not list the ticket for this user.');
  }
  if (row?.name !== name) throw noSuch('HD Ticket');
  return row;
}

const Form = z.object({
  docinfo: z.object({
    name: DocumentName,
    versions: z.array(z.object({ owner: z.string(), creation: z.string(), data: z.string() })),
    assignments: z.array(z.object({ owner: z.string(), description: z.string().nullish() })),
  }),
});

/** What the helpdesk's own form shows beside a ticket (docs/helpdesk.md#permissions). Null if that is too large to read. */
export async function readForm(frappe: Frappe, ticket: string, signal: AbortSignal) {
  const method = 'frappe.desk.form.load.getdoc';
  const form = await frappe
    .call(method, { doctype: 'HD Ticket', name: ticket }, Form, signal)
    .catch((error: unknown) => {
      if (error instanceof AnswerTooLarge) return null;
      throw error;
    });
  if (form !== null && form.docinfo.name !== ticket) throw noSuch('HD Ticket');
  return form?.docinfo ?? null;
}

/** A column of the ticket's customer. */
function ofCustomer(field: string): string {
  return `customer.${field} as customer_${field}`;
}

/** The request for a ticket with its customer and contact; `more` are further columns of the ticket itself. */
export function joinedQuery(fields: SiteFields, name: string, more: readonly string[] = []): ListQuery {
  const columns = [
    ...['name', 'creation', 'owner', 'subject', 'customer', 'contact', 'contact.owner as contact_owner'],
    ...['raised_by', 'agent_group'],
    ...optionalTicketFields.filter((field) => fields.has('HD Ticket', field)),
    ...customerColumns.filter((field) => fields.has('HD Customer', field)).map(ofCustomer),
    ...contactColumns
      .filter((field) => fields.has('Contact', field))
      .map((field) => `contact.${field} as contact_${field}`),
    ...more,
  ];
  return { fields: [...new Set(columns)], filters: [['name', '=', name]], limit: 1 };
}

/** The same for the pipeline, with what it writes by. */
export function pipelineQuery(fields: SiteFields, name: string, more: readonly string[]): ListQuery {
  return joinedQuery(fields, name, [
    ...standardColumns,
    ...optionalColumns.filter((field) => fields.has('HD Ticket', field)),
    ...customerWriteColumns.filter((field) => fields.has('HD Customer', field)).map(ofCustomer),
    ...more,
  ]);
}

/** The ticket in a row, with its customer and contact. */
export function toFile(row: z.output<typeof FileRow>, fields: SiteFields): TicketFile {
  const customer = textOf(row.customer);
  const contact = textOf(row.contact);
  const subject = textOf(row.subject);
  // Composed, as the rules' names are: decisions compare both.
  const agentGroup = textOf(row.agent_group)?.normalize('NFC') ?? null;
  const raisedBy = textOf(row.raised_by);
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
        .map(({ field, kind }) => ({ field, kind, value: row[field] })),
      responsible: fields.has('HD Ticket', 'custom_responsible') ? textOf(row.custom_responsible) : undefined,
      record: {
        name: row.name,
        subject,
        customer,
        contact,
        raised_by: raisedBy,
        agent_group: agentGroup,
        custom_orgid: textOf(row.custom_orgid),
      },
    },
    customer: customer === null ? null : { name: customer, ...linked('customer', customerColumns) },
    contact: contact === null ? null : { name: contact, ...linked('contact', contactColumns) },
  };
}

export function toPipelineTicket(
  row: z.output<typeof PipelineRow>,
  fields: SiteFields,
  zone: SiteZone,
): PipelineTicket {
  const status = textOf(row.status) ?? '';
  const filled = (field: string) => textOf(row[field])?.trim() || null;
  return {
    file: toFile(row, fields),
    customerRecord: toJoinedRecord(row, zone),
    assignees: assigneesIn(row._assign),
    key: textOf(row.key),
    status,
    closed: finishedStatuses.has(status),
    description: htmlToText(textOf(row.description) ?? ''),
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
    stored: Object.fromEntries(['customer', ...routingColumns].map((field) => [field, row[field]])),
  };
}

/** The joined customer, with the values that a write to it is compared against; null without one. */
function toJoinedRecord(row: z.output<typeof PipelineRow>, zone: SiteZone): CustomerRecord | null {
  const name = textOf(row.customer);
  if (name === null || !row.customer_modified) return null;
  const stored = Object.fromEntries(customerWriteColumns.map((field) => [field, row[`customer_${field}`]]));
  return toCustomerRecord({ ...stored, name, modified: row.customer_modified }, zone);
}

/** `_assign` is the text of a JSON array; empty or null if nobody is assigned. */
export function assigneesIn(assign: string | null | undefined): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(assign || '[]'));
  } catch {
    throw new HelpdeskError('bad_answer', 'The helpdesk lists the assignees of a ticket in an unknown format.');
  }
}

/** What makes a ticket out: names can be reused. `creation`: the helpdesk's own timestamp, opaque. */
export interface TicketKey {
  name: string;
  creation: string;
}
