import * as z from 'zod';
import type { Upstream } from '#net/egress.ts';
import { createFrappeClient, DocumentName, Named } from './client.ts';
import { readCustomersWithMembers } from './customers-with-members.ts';
import { readDoctypeFields } from './doctype-meta.ts';
import { refusalAsOutage } from './frappe-error.ts';
import { HelpdeskError } from './helpdesk.ts';
import type { HelpdeskSearch } from './helpdesk-search.ts';
import { orgIdFields } from './ticket-fields.ts';

const pageSize = 500;
/** A million rows: whoever has more gets an error and not an incomplete answer. */
const maxPages = 2_000;

const customerColumns = ['custom_platform_orgid', 'custom_crm_last_checked_at'];

const Row = z.looseObject({ name: DocumentName });

/** The helpdesk search over Frappe's REST API. `key`: the service account's `key:secret`. */
export function createHelpdeskSearch(upstream: Upstream, key: string): HelpdeskSearch {
  const client = createFrappeClient(upstream);
  const service = `token ${key}`;

  /** In the order of creation, so that what is made meanwhile comes last. */
  async function* rows<T>(
    doctype: string,
    { fields, filters }: { fields: string[]; filters: unknown[][] },
    row: z.ZodType<T>,
    signal: AbortSignal,
  ): AsyncGenerator<T> {
    for (let page = 0; page < maxPages; page += 1) {
      const query = { fields, filters, orderBy: 'creation asc, name asc', start: page * pageSize, limit: pageSize };
      const found = await refusalAsOutage(client.list(doctype, query, row, service, signal));
      yield* found;
      if (found.length < pageSize) return;
    }
    throw new HelpdeskError('bad_answer', `Listing ${doctype}: there are too many rows.`);
  }

  async function names(doctype: string, field: string, value: string, signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    const query = { fields: ['name', field], filters: [[field, '=', value]] };
    // The database compares numbers as numbers and texts without regard to accents.
    for await (const one of rows(doctype, query, Row, signal))
      if (textOf(one[field]).toLowerCase() === value.toLowerCase()) found.push(one.name);
    return found;
  }

  const fieldsOf = (doctype: string, signal: AbortSignal) =>
    refusalAsOutage(readDoctypeFields(client, doctype, service, signal));

  return {
    async *customers(signal) {
      const known = await fieldsOf('HD Customer', signal);
      const wanted = customerColumns.filter((field) => known.has(field));
      const query = { fields: ['name', ...wanted], filters: [] };
      const seen = new Set<string>();
      for await (const row of rows('HD Customer', query, Row, signal)) {
        if (seen.has(row.name)) continue;
        seen.add(row.name);
        yield {
          name: row.name,
          orgId: idOf(row.custom_platform_orgid),
          checkedAt: textOf(row.custom_crm_last_checked_at),
        };
      }
    },

    customersWithMembers: (signal) => refusalAsOutage(readCustomersWithMembers({ client, service }, signal)),

    async ticketsOfPerson(email, signal) {
      const found = await Promise.all(['raised_by', 'owner'].map((field) => names('HD Ticket', field, email, signal)));
      return [...new Set(found.flat())];
    },

    async ticketsOfCompany(orgId, signal) {
      const [ofCustomer, ofTicket] = await Promise.all([
        fieldsOf('HD Customer', signal),
        fieldsOf('HD Ticket', signal),
      ]);
      const customers = ofCustomer.has('custom_platform_orgid')
        ? await names('HD Customer', 'custom_platform_orgid', orgId, signal)
        : [];
      const tickets = new Set<string>();
      for (const { field } of orgIdFields.filter((one) => ofTicket.has(one.field)))
        for (const name of await names('HD Ticket', field, orgId, signal)) tickets.add(name);
      for (const customer of customers) {
        const query = { fields: ['name'], filters: [['customer', '=', customer]] };
        for await (const { name } of rows('HD Ticket', query, Named, signal)) tickets.add(name);
      }
      return { tickets: [...tickets], customers };
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** A column of type Int holds 0 where nothing was ever written. */
function idOf(value: unknown): string {
  const text = textOf(value);
  return /^0+$/.test(text) ? '' : text;
}
