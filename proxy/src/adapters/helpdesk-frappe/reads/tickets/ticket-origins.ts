import * as z from 'zod';
import { AnswerTooLarge, DocumentName } from '#adapters/helpdesk-frappe/client/client.ts';
import { type SiteFields, withFields } from '#adapters/helpdesk-frappe/fields/site-fields.ts';
import { orgIdFields } from '#adapters/helpdesk-frappe/fields/ticket-fields.ts';
import { systemAccount } from '#adapters/helpdesk-frappe/reads/people/desk.ts';
import type { Site } from '#adapters/helpdesk-frappe/site.ts';
import {
  type InsertedTicket,
  mostVersions,
  type PipelineTicket,
  type TicketOriginal,
  type TicketVersion,
} from '#ports/helpdesk/helpdesk-tickets.ts';
import { htmlToText } from './html-to-text.ts';
import { textOf } from './read-ticket.ts';

/** Far more than a sender or a company has as a rule; of more, only those with the subject are looked at. */
const limit = 200;
/** How many of their logs are read at the same time: the other tickets need connections as well. */
const logsAtOnce = 4;

const Row = z.looseObject({ name: DocumentName, owner: z.string(), modified: z.string(), modified_by: z.string() });
const Changes = z.object({ changed: z.array(z.tuple([z.string()], z.unknown())).catch([]) });
const Info = z.object({
  docinfo: z.object({
    versions: z.array(
      z.object({ owner: z.string(), data: z.string().transform((text) => Changes.parse(JSON.parse(text))) }),
    ),
  }),
});

/**
 * What a ticket may be a copy of: the one that it was split from, and earlier ones of the same sender or with one of its
 * org ids that have its subject or its description, or may have had them until they were written to again.
 */
export async function findOriginals(
  at: Site,
  ticket: PipelineTicket,
  inserted: InsertedTicket,
  signal: AbortSignal,
): Promise<TicketOriginal[]> {
  return withFields(at.site, signal, (fields) => find(at, fields, ticket, inserted, signal));
}

async function find(
  at: Site,
  fields: SiteFields,
  { file, creation, description }: PipelineTicket,
  { splitFrom, raisedBy, orgIdFields: ids }: InsertedTicket,
  signal: AbortSignal,
): Promise<TicketOriginal[]> {
  const { client, service } = at;
  const present = orgIdFields.map(({ field }) => field).filter((field) => fields.has('HD Ticket', field));
  const { subject } = file.ticket;
  const shared = [
    ...(raisedBy === null ? [] : ['raised_by', 'owner'].map((field) => [field, '=', raisedBy])),
    ...ids.flatMap(({ value }) => (value === null ? [] : present.map((field) => [field, '=', value]))),
  ];
  const list = (filters: unknown[][], more: string[], orFilters?: unknown[][]) => {
    const columns = ['name', 'owner', 'modified', 'modified_by', 'raised_by', 'subject', ...present, ...more];
    const query = { fields: columns, filters, limit, orderBy: 'creation desc', ...(orFilters && { orFilters }) };
    return client.list('HD Ticket', query, Row, service, signal);
  };
  const earlier = ['creation', '<', creation];
  const split = splitFrom === null ? [] : await list([['name', '=', splitFrom]], []);
  const found = shared.length === 0 ? [] : await listWithTexts();
  const isSame = (a: string | null, b: string | null) => Boolean(a?.trim()) && a?.trim() === b?.trim();
  const alike = found.filter(
    (row) => isSame(textOf(row.subject), subject) || isSame(htmlToText(textOf(row.description) ?? ''), description),
  );
  const later = found.filter((row) => row.modified >= creation && !alike.includes(row));
  const rewritten: typeof found = [];
  for (let from = 0; from < later.length; from += logsAtOnce) {
    const some = later.slice(from, from + logsAtOnce);
    const answers = await Promise.all(some.map(isRewritten));
    rewritten.push(...some.filter((_, index) => answers[index]));
  }
  return [...split.filter(({ name }) => name === splitFrom), ...alike, ...rewritten].map((row) => ({
    name: row.name,
    owner: row.owner,
    raisedBy: textOf(row.raised_by),
    orgIdFields: present.map((field) => ({ field, value: row[field] ?? null })),
  }));

  /** Others may have written to it after the sender did. What came by mail gets its text from the helpdesk itself. */
  async function isRewritten({ name, modified_by }: z.output<typeof Row>): Promise<boolean> {
    if (isSame(modified_by, raisedBy)) return true;
    const versions = await readVersions(at, name, signal);
    return (
      versions.length >= mostVersions || versions.some(({ by, textChanged }) => textChanged && by !== systemAccount)
    );
  }

  /** Descriptions that are too large to read are left out, so that nobody can keep a ticket from being looked at. */
  async function listWithTexts() {
    const rows = await list([earlier], ['description'], shared).catch((error: unknown) => {
      if (!(error instanceof AnswerTooLarge)) throw error;
      return list([earlier], [], shared);
    });
    return rows.length < limit ? rows : [...rows, ...(await list([earlier, ['subject', '=', subject]], [], shared))];
  }
}

/**
 * The last saves of a ticket, by the helpdesk's own log, which agents may not list but are shown beside the ticket
 * (docs/helpdesk.md#permissions).
 */
export async function readVersions(
  { client, service }: Site,
  ticket: string,
  signal: AbortSignal,
): Promise<TicketVersion[]> {
  const method = 'frappe.desk.form.load.get_docinfo';
  const { docinfo } = await client.call(method, { doctype: 'HD Ticket', name: ticket }, Info, service, signal);
  return docinfo.versions.slice(0, mostVersions).map(({ owner, data: { changed } }) => {
    const address = changed.find(([field]) => field === 'raised_by');
    return {
      by: owner,
      ...(address && { raisedBy: { from: textOf(address[1]), to: textOf(address[2]) } }),
      textChanged: changed.some(([field]) => field === 'subject' || field === 'description'),
    };
  });
}
