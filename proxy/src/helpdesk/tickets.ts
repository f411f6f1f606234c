import type { FieldChange } from '@deskside/shared/enrichment';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { HelpdeskContact, HelpdeskCustomer, TicketRef } from '@deskside/shared/profile';
import * as z from 'zod';
import { jsonOf } from '#runtime/json.ts';
import { type CustomerRecord, contactColumns, customerColumns, toCustomerRecord } from './customers.ts';
import { AnswerTooLarge, HelpdeskError, noSuch } from './errors.ts';
import {
  type CompanyData,
  checkTimes,
  customerFieldOf,
  domainFields,
  intakeFields,
  type JudgedChanges,
  type JudgedData,
  orgIdFields,
  type PlainFields,
  type RoutingFields,
  routingColumns,
  ticketValues,
} from './fields.ts';
import { DocumentName, type Frappe, type ListQuery, Named } from './frappe.ts';
import { htmlToText } from './html-to-text.ts';
import { type Credential, type SiteFields, SitePart } from './site.ts';
import type { SiteZone } from './values.ts';
import { planBack, planWrite, textOf } from './values.ts';

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
   * Fields that may hold an org id, with their raw values, in the order of docs/decisions.md 5; those that the site lacks are
   * left out. `current`: the one that people and intake use today. `profile` and `older`: former ones.
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

/** What a write changed, and what the ticket has afterwards: the helpdesk fills in more than was written. */
export interface TicketAnswer {
  changes: FieldChange[];
  customer: string | null;
  contact: string | null;
}

type Answer = TicketAnswer | 'changed_meanwhile';

/** Statuses of tickets that need nobody any more (docs/helpdesk.md#assignment). */
export const finishedStatuses: ReadonlySet<string> = new Set(['Resolved', 'Closed']);

const FileRow = z.looseObject({ name: DocumentName, owner: z.string(), creation: z.string() });
const PipelineRow = FileRow.extend({
  modified: z.string(),
  modified_by: z.string(),
  _assign: z.string().nullish(),
  customer_modified: z.string().nullish(),
});
const Saved = z.object({ name: DocumentName, customer: z.string().nullish(), contact: z.string().nullish() });
const Version = z.object({ owner: z.string(), creation: z.string(), data: z.string() });
const Changed = z.object({ changed: z.array(z.tuple([z.string()], z.unknown())).default([]) });
const Form = z.object({ docinfo: z.object({ name: DocumentName, versions: z.array(Version) }) });
const Message = z.object({ content: z.string().nullish(), creation: z.string() });
const Conversation = z.object({
  message: z.object({ name: DocumentName, communications: z.array(Message).optional() }),
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
 * Tickets, one at a time. Every method may throw HelpdeskError. Writes are made as the service account, one after another
 * for each ticket, and skipped if they change nothing. Values that the site has no field for, or that do not fit, are left
 * out and reported.
 */
export class Tickets extends SitePart {
  /**
   * Reads a ticket with customer and contact in one list with joins (docs/decisions.md 17) as the caller. Throws
   * `not_found` if no ticket has this name, even if the helpdesk's database would coerce it to another
   * (docs/decisions.md 16), and `forbidden` if the caller may not read it; telling the two apart costs a second request.
   */
  async readAs(caller: Credential, name: string, signal: AbortSignal): Promise<TicketFile> {
    const frappe = this.site.as(caller);
    return this.site.withFields(signal, async (fields) => {
      const [row] = await frappe.list('HD Ticket', joinedQuery(fields, name), FileRow, signal);
      return toFile(await rowNamed(frappe, row, name, signal), fields);
    });
  }

  /**
   * Reads a ticket for the pipeline, likewise. A description that is too large to read is left empty, so that its sender
   * cannot keep the ticket from being routed.
   */
  async read(name: string, signal: AbortSignal): Promise<PipelineTicket> {
    const { service } = this.site;
    const zone = await this.site.zone.get(signal);
    return this.site.withFields(signal, async (fields) => {
      const columns = [
        ...standardColumns,
        ...optionalColumns.filter((field) => fields.has('HD Ticket', field)),
        ...customerWriteColumns.filter((field) => fields.has('HD Customer', field)).map(ofCustomer),
      ];
      const list = (more: string[]) =>
        service.list('HD Ticket', joinedQuery(fields, name, [...columns, ...more]), PipelineRow, signal);
      const [row] = await list(['description']).catch((error: unknown) => {
        if (error instanceof AnswerTooLarge) return list([]);
        throw error;
      });
      return toPipelineTicket(await rowNamed(service, row, name, signal), fields, zone);
    });
  }

  /**
   * Plain text of a ticket's oldest message; empty if there is none, or if the conversation is too large to read. A
   * ticket that arrived by e-mail may have no description of its own (docs/helpdesk.md#inserting-a-ticket).
   */
  async readFirstMessage(ticket: string, signal: AbortSignal): Promise<string> {
    const method = 'helpdesk.helpdesk.doctype.hd_ticket.api.get_one';
    try {
      const { message } = await this.site.service.call(method, { name: ticket }, Conversation, signal);
      if (message.name !== ticket) throw noSuch('HD Ticket');
      const [first] = (message.communications ?? []).toSorted((a, b) => (a.creation < b.creation ? -1 : 1));
      return htmlToText(first?.content ?? '');
    } catch (error) {
      if (error instanceof AnswerTooLarge) return '';
      throw error;
    }
  }

  /**
   * Who wrote a field of a ticket last, by the ten versions that the helpdesk tells of (docs/helpdesk.md#permissions). Null if
   * none of them says, or if the page is too large to read.
   */
  async lastWriterOf(ticket: string, field: string, signal: AbortSignal): Promise<string | null> {
    const method = 'frappe.desk.form.load.getdoc';
    const form = await this.site.service
      .call(method, { doctype: 'HD Ticket', name: ticket }, Form, signal)
      .catch((error: unknown) => {
        if (error instanceof AnswerTooLarge) return null;
        throw error;
      });
    if (form === null) return null;
    const { name, versions } = form.docinfo;
    if (name !== ticket) throw noSuch('HD Ticket');
    const told = versions.filter(({ data }) =>
      Changed.safeParse(jsonOf(data)).data?.changed.some(([changed]) => changed === field),
    );
    return told.toSorted((a, b) => (a.creation < b.creation ? -1 : 1)).at(-1)?.owner ?? null;
  }

  /**
   * Writes what differs in one request, carrying the ticket's timestamp. `changed_meanwhile`: someone has written to the ticket
   * since it was read. Throws `rejected` if the helpdesk keeps another customer than the one written.
   */
  async write(ticket: PipelineTicket, desired: PlainFields | JudgedData, signal: AbortSignal): Promise<Answer> {
    const plan = await this.plan(ticket, desired, signal);
    this.site.reportSkipped('HD Ticket', plan.skippedFields);
    // Every write makes the agent's page reload (docs/decisions.md 18).
    const isNews = plan.changes.some(({ field, from }) => !checkTimes.has(field) || from === null);
    return this.put(ticket, isNews ? plan : { changes: [], values: {} }, signal);
  }

  /** Saves a ticket as it is, for what the helpdesk itself fills in then. Nothing if somebody has written to it since. */
  async save({ file, modified }: PipelineTicket, signal: AbortSignal): Promise<void> {
    await this.update(file.ticket.name, { modified }, signal);
  }

  /**
   * Clears those of the written values that the ticket still shows, or writes what `instead` has for them; what only
   * `instead` has is written in any case. Answers as `write` does.
   */
  async clear(
    ticket: PipelineTicket,
    written: CompanyData,
    instead: PlainFields | JudgedData,
    signal: AbortSignal,
  ): Promise<Answer> {
    const isShown = async (member: string, value: unknown) => {
      const { changes, skippedFields } = await this.plan(ticket, { [member]: value }, signal);
      return changes.length === 0 && skippedFields.length === 0;
    };
    const others = Object.entries(instead).filter(([member]) => !(member in written));
    const desired = new Map<string, unknown>(others);
    for (const [member, value] of Object.entries(written))
      if (await isShown(member, value)) desired.set(member, instead[member as keyof RoutingFields] ?? null);
    // A field that the site lacks has nothing to clear, so nothing is reported.
    return this.put(ticket, await this.plan(ticket, Object.fromEntries(desired), signal), signal);
  }

  /** Gives back what was changed, as far as the fields still show it. Answers as `write` does. */
  async takeBack(ticket: PipelineTicket, changes: JudgedChanges, signal: AbortSignal): Promise<Answer> {
    const { fields } = await this.schema(signal);
    const { due, values } = planBack(fields, ticket.stored, changes);
    return this.put(ticket, { changes: due, values }, signal);
  }

  private async plan(ticket: PipelineTicket, { customer, ...desired }: CompanyData, signal: AbortSignal) {
    const { fields, zone } = await this.schema(signal);
    const { changes, values, skippedFields } = planWrite(fields, zone, ticket.stored, ticketValues(desired, fields));
    const present = ticket.file.ticket.customer;
    if (customer === undefined || customer === present) return { changes, values, skippedFields };
    return {
      changes: [{ field: 'customer', from: present, to: customer }, ...changes],
      values: { customer, ...values },
      skippedFields,
    };
  }

  private async schema(signal: AbortSignal) {
    return {
      fields: (await this.site.knownFields(signal)).of('HD Ticket'),
      zone: await this.site.zone.get(signal),
    };
  }

  private async put(
    { file: { ticket }, modified }: PipelineTicket,
    { changes, values }: { changes: FieldChange[]; values: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Answer> {
    if (changes.length === 0) return { changes, customer: ticket.customer, contact: ticket.contact };
    const saved = await this.update(ticket.name, { ...values, modified }, signal);
    if (saved === null) return 'changed_meanwhile';
    const [customer, contact] = [textOf(saved.customer), textOf(saved.contact)];
    if (values.customer && customer !== values.customer)
      throw new HelpdeskError('rejected', 'The helpdesk put a different customer on the ticket than requested.');
    return { changes, customer, contact };
  }

  /** The one way to write a ticket. Null if somebody has written to it since `values.modified`. */
  private async update(name: string, values: Record<string, unknown>, signal: AbortSignal) {
    const { site } = this;
    const write = () => site.service.update('HD Ticket', name, values, Saved, signal);
    try {
      const written = await site.write('HD Ticket', name, signal, write);
      if (written.name !== name) throw noSuch('HD Ticket');
      return written;
    } catch (error) {
      if (error instanceof HelpdeskError && error.excType === 'TimestampMismatchError') return null;
      throw error;
    }
  }
}

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
    const found = await frappe.get('HD Ticket', name, Named, signal);
    if (found.name === name) throw frappe.forbidden('The helpdesk does not list the ticket for this user.');
  }
  if (row?.name !== name) throw noSuch('HD Ticket');
  return row;
}

/** A column of the ticket's customer. */
function ofCustomer(field: string): string {
  return `customer.${field} as customer_${field}`;
}

/** The request for a ticket with its customer and contact; `more` are further columns of the ticket itself. */
function joinedQuery(fields: SiteFields, name: string, more: readonly string[] = []): ListQuery {
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

/** The ticket in a row, with its customer and contact. */
function toFile(row: z.output<typeof FileRow>, fields: SiteFields): TicketFile {
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
        .map(({ field, kind }) => ({ field, kind, value: row[field] ?? null })),
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

function toPipelineTicket(row: z.output<typeof PipelineRow>, fields: SiteFields, zone: SiteZone): PipelineTicket {
  const status = textOf(row.status) ?? '';
  const filled = (field: string) => textOf(row[field])?.trim() || null;
  return {
    file: toFile(row, fields),
    customerRecord: toJoinedRecord(row, fields, zone),
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
    stored: Object.fromEntries(['customer', ...routingColumns].map((field) => [field, row[field] ?? null])),
  };
}

/** The joined customer, with the values that a write to it is compared against; null without one. */
function toJoinedRecord(row: z.output<typeof PipelineRow>, fields: SiteFields, zone: SiteZone): CustomerRecord | null {
  const name = textOf(row.customer);
  if (name === null || !row.customer_modified) return null;
  const known = customerWriteColumns.filter((field) => fields.has('HD Customer', field));
  const stored = Object.fromEntries(known.map((field) => [field, row[`customer_${field}`] ?? null]));
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
