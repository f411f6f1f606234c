import type { FieldChange } from '@deskside/shared/enrichment';
import * as z from 'zod';
import { jsonOf } from '#runtime/json.ts';
import { AnswerTooLarge, HelpdeskError, noSuch } from './errors.ts';
import {
  type CompanyData,
  checkTimes,
  type JudgedChanges,
  type JudgedData,
  type PlainFields,
  type RoutingFields,
  ticketValues,
} from './fields.ts';
import { DocumentName } from './frappe.ts';
import { htmlToText } from './html-to-text.ts';
import { type Credential, SitePart } from './site.ts';
import { textOf } from './text.ts';
import {
  FileRow,
  joinedQuery,
  PipelineRow,
  type PipelineTicket,
  pipelineQuery,
  readForm,
  rowNamed,
  type TicketFile,
  toFile,
  toPipelineTicket,
} from './ticket-file.ts';
import { planBack, planWrite } from './write-plan.ts';

/** What a write changed, and what the ticket has afterwards: the helpdesk fills in more than was written. */
export interface TicketAnswer {
  changes: FieldChange[];
  customer: string | null;
  contact: string | null;
}

type Answer = TicketAnswer | 'changed_meanwhile';

const TicketAnswerRow = z.object({ name: DocumentName, customer: z.string().nullish(), contact: z.string().nullish() });
const VersionData = z.object({ changed: z.array(z.tuple([z.string()], z.unknown())).default([]) });
const MessageRow = z.object({ content: z.string().nullish(), creation: z.string() });

const Conversation = z.object({
  message: z.object({ name: DocumentName, communications: z.array(MessageRow).optional() }),
});

/**
 * Tickets, one at a time. Every method may throw HelpdeskError. Writes are made as the service account, one after another
 * for each ticket, and skipped if they change nothing. Values that the site has no field for, or that do not fit, are left
 * out and reported.
 */
export class Tickets extends SitePart {
  /**
   * Reads a ticket with customer and contact in one list with joins (decision 17: few requests) as the caller. Throws
   * `not_found` if no ticket has this name, even if the helpdesk's database would coerce it to another
   * (decision 16: checked names), and `forbidden` if the caller may not read it; telling the two apart costs a second request.
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
      const list = (more: string[]) =>
        service.list('HD Ticket', pipelineQuery(fields, name, more), PipelineRow, signal);
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
    const { versions } = (await readForm(this.site.service, ticket, signal)) ?? { versions: [] };
    const told = versions.filter(({ data }) =>
      VersionData.safeParse(jsonOf(data)).data?.changed.some(([changed]) => changed === field),
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
    // Every write makes the agent's page reload (decision 18: what is written).
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
    return { fields: (await this.site.knownFields(signal)).of('HD Ticket'), zone: await this.site.zone.get(signal) };
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
    const write = () => site.service.update('HD Ticket', name, values, TicketAnswerRow, signal);
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
