import * as z from 'zod';
import { DocumentName, type FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import type { MetadataCache } from '#adapters/helpdesk-frappe/client/read-cache.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/service-refusal.ts';
import { type SiteZone, stampBefore } from '#adapters/helpdesk-frappe/client/site-time.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';

const Row = z.object({ name: DocumentName, creation: z.string(), modified: z.string() });

const Nameless = z.object({ name: DocumentName.catch('') }).catch({ name: '' });
const nameOf = (row: unknown) => Nameless.parse(row).name;

/** Tickets by the time of their last change. `service` is the service account's Authorization header. */
export function createSweptTickets(deps: {
  client: FrappeClient;
  service: string;
  zone: MetadataCache<SiteZone>;
}): Pick<HelpdeskTickets, 'listModifiedSince' | 'stampOf' | 'stampBefore'> {
  const { client, service, zone } = deps;
  return {
    async listModifiedSince(since, { limit, offset }, signal) {
      const query = {
        fields: ['name', 'creation', 'modified'],
        filters: [['modified', '>=', since]],
        orderBy: 'modified asc, name asc',
        start: offset,
        limit,
      };
      const rows = await refusalAsOutage(client.list('HD Ticket', query, z.unknown(), service, signal));
      const read = rows.map((row) => Row.safeParse(row));
      return {
        tickets: read.flatMap(({ data }) => data ?? []),
        unreadable: rows.filter((_, index) => !read[index]?.success).map(nameOf),
      };
    },

    /** In whole seconds: at most one second before the instant, never after it. */
    async stampOf(instant, signal) {
      const stamp = (await refusalAsOutage(zone.get(signal))).fromInstant(instant);
      if (stamp === null) throw new HelpdeskError('rejected', 'The helpdesk cannot store this time.');
      return stamp;
    },

    stampBefore,
  };
}
