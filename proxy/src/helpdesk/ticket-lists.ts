import * as z from 'zod';
import { DocumentName, Named } from './client.ts';
import { finishedStatuses } from './read-pipeline-ticket.ts';
import type { Site } from './site.ts';

// Many tickets in one list, as `HelpdeskTickets` has them.

const Swept = z.object({ name: DocumentName, creation: z.string(), modified: z.string() });
const Nameless = z.object({ name: DocumentName.catch('') }).catch({ name: '' });
const nameOf = (row: unknown) => Nameless.parse(row).name;
const LookedAt = z.object({ name: DocumentName, status: z.string().nullish(), modified: z.unknown() });
const Names = z.object({ message: z.array(Named) });
const Settings = z.object({ message: z.object({ restrict_tickets_by_agent_group: z.unknown() }) });

/** Tickets by the time of their last change. */
export async function listModifiedSince(
  { client, service }: Site,
  since: string,
  { limit, offset }: { limit: number; offset: number },
  signal: AbortSignal,
) {
  const query = {
    fields: ['name', 'creation', 'modified'],
    filters: [['modified', '>=', since]],
    orderBy: 'modified asc, name asc',
    start: offset,
    limit,
  };
  const rows = await client.list('HD Ticket', query, z.unknown(), service, signal);
  const read = rows.map((row) => Swept.safeParse(row));
  return {
    tickets: read.flatMap(({ data }) => data ?? []),
    unreadable: rows.filter((_, index) => !read[index]?.success).map(nameOf),
  };
}

/** Whether tickets are finished and when they were last changed. */
export async function lookAtTickets(
  { client, service, zone }: Site,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, { closed: boolean; modifiedAt: number }>> {
  const siteTime = await zone.get(signal);
  const query = { fields: ['name', 'status', 'modified'], filters: [['name', 'in', names]], limit: names.length };
  const rows = await client.list('HD Ticket', query, LookedAt, service, signal);
  return new Map(
    rows.map(({ name, status, modified }) => {
      const modifiedAt = siteTime.toInstant(modified);
      // Nobody can tell how long it has been closed.
      if (modifiedAt === null) return [name, { closed: false, modifiedAt: 0 }];
      return [name, { closed: finishedStatuses.has(status ?? ''), modifiedAt }];
    }),
  );
}

/**
 * Which of these names no ticket has. Sent in a body: a hundred long names are more than an address can hold. Where tickets
 * are restricted to their teams a list says nothing of those it leaves out (docs/helpdesk.md#permissions), and none counts
 * as missing.
 */
export async function missingAmong(
  { client, service }: Site,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const filters = [['name', 'in', names]];
  const query = { doctype: 'HD Ticket', fields: ['name'], filters, limit_page_length: names.length };
  const { message: rows } = await client.run('frappe.client.get_list', query, Names, service, signal);
  const there = new Set(rows.map(({ name }) => name));
  const missing = new Set(names.filter((name) => !there.has(name)));
  if (missing.size === 0) return missing;
  const which = { doctype: 'HD Settings', name: 'HD Settings' };
  const { message: settings } = await client.call('frappe.client.get', which, Settings, service, signal);
  return Number(settings.restrict_tickets_by_agent_group) === 0 ? missing : new Set();
}
