import * as z from 'zod';
import { type FrappeClient, Named } from '#adapters/helpdesk-frappe/client/client.ts';

const Rows = z.object({ message: z.array(Named) });
const Settings = z.object({ message: z.object({ restrict_tickets_by_agent_group: z.unknown() }) });

/**
 * Which of these names no ticket has, in one list. Sent in a body: a hundred long names are more than an address can hold.
 * Where tickets are restricted to their teams a list says nothing of those it leaves out (docs/helpdesk.md#permissions),
 * and none counts as missing.
 *
 * @param service Authorization header of the service account
 */
export async function missingAmong(
  { client, service }: { client: FrappeClient; service: string },
  names: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const filters = [['name', 'in', names]];
  const query = { doctype: 'HD Ticket', fields: ['name'], filters, limit_page_length: names.length };
  const { message: rows } = await client.run('frappe.client.get_list', query, Rows, service, signal);
  const there = new Set(rows.map(({ name }) => name));
  const missing = new Set(names.filter((name) => !there.has(name)));
  if (missing.size === 0) return missing;
  const which = { doctype: 'HD Settings', name: 'HD Settings' };
  const { message: settings } = await client.call('frappe.client.get', which, Settings, service, signal);
  return Number(settings.restrict_tickets_by_agent_group) === 0 ? missing : new Set();
}
