import * as z from 'zod';
import { DocumentName, type FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import type { SiteZone } from '#adapters/helpdesk-frappe/client/site-time.ts';
import { finishedStatuses } from './read-pipeline-ticket.ts';

const Row = z.object({ name: DocumentName, status: z.string().nullish(), modified: z.unknown() });

/**
 * Whether tickets are finished and when they were last changed, in one list. Throws HelpdeskError.
 *
 * @param service Authorization header of the service account
 */
export async function lookAtTickets(
  { client, service, zone }: { client: FrappeClient; service: string; zone: SiteZone },
  names: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, { closed: boolean; modifiedAt: number }>> {
  const query = { fields: ['name', 'status', 'modified'], filters: [['name', 'in', names]], limit: names.length };
  const rows = await client.list('HD Ticket', query, Row, service, signal);
  return new Map(
    rows.map(({ name, status, modified }) => {
      const modifiedAt = zone.toInstant(modified);
      // Nobody can tell how long it has been closed.
      if (modifiedAt === null) return [name, { closed: false, modifiedAt: 0 }];
      return [name, { closed: finishedStatuses.has(status ?? ''), modifiedAt }];
    }),
  );
}
