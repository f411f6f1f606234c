import * as z from 'zod';
import { HelpdeskError } from '../../ports/helpdesk.ts';
import type { HelpdeskTickets } from '../../ports/helpdesk-tickets.ts';
import { asService } from './as-service.ts';
import { DocumentName, type FrappeClient } from './client.ts';
import type { Remembered } from './remembered.ts';
import type { SiteZone } from './site-time.ts';

const Row = z.object({ name: DocumentName, creation: z.string(), modified: z.string() });

/** Tickets by the time of their last change. `service` is the service account's Authorization header. */
export function createSweptTickets(deps: {
  client: FrappeClient;
  service: string;
  zone: Remembered<SiteZone>;
}): Pick<HelpdeskTickets, 'listModifiedSince' | 'stampOf'> {
  const { client, service, zone } = deps;
  return {
    listModifiedSince(since, { limit, offset }, signal) {
      const query = {
        fields: ['name', 'creation', 'modified'],
        filters: [['modified', '>=', since]],
        orderBy: 'modified asc, name asc',
        start: offset,
        limit,
      };
      return asService(client.list('HD Ticket', query, Row, service, signal));
    },

    /** In whole seconds: the stamp is at most one second before the instant, never after it. */
    async stampOf(instant, signal) {
      const stamp = (await asService(zone.get(signal))).fromInstant(instant);
      if (stamp === null) throw new HelpdeskError('rejected', 'The helpdesk cannot hold this time.');
      return stamp;
    },
  };
}
