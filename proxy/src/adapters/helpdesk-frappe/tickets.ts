import type { Clock } from '../../ports/clock.ts';
import type { HelpdeskTickets } from '../../ports/helpdesk-tickets.ts';
import { asService } from './as-service.ts';
import { createAssignments } from './assignments.ts';
import type { FrappeClient } from './client.ts';
import { readFirstMessage } from './first-message.ts';
import type { ReportLeftOut } from './left-out.ts';
import { readPipelineTicket } from './read-pipeline-ticket.ts';
import type { Remembered } from './remembered.ts';
import { createRoster } from './roster.ts';
import { createRoutingWrite } from './routing-write.ts';
import { type SiteFields, withFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import { createSweptTickets } from './swept-tickets.ts';
import type { WriteQueue } from './write-queue.ts';

/**
 * Tickets, teams and assignments as the pipeline needs them. It shares the queue of writes with whatever else writes
 * tickets.
 *
 * @param deps.service Authorization header of the service account
 * @param deps.serviceUser name of its user
 * @param deps.site which fields the site has
 * @param deps.zone the site's time zone
 */
export function createTickets(deps: {
  client: FrappeClient;
  service: string;
  serviceUser: (signal: AbortSignal) => Promise<string>;
  site: Pick<Remembered<SiteFields>, 'get' | 'renew'>;
  zone: Remembered<SiteZone>;
  enqueue: WriteQueue;
  report: ReportLeftOut;
  clock: Clock;
}): HelpdeskTickets {
  const { client, service, serviceUser, site, zone } = deps;

  async function read(ticket: string, signal: AbortSignal) {
    const siteTime = await zone.get(signal);
    return withFields(site, signal, (fields) =>
      readPipelineTicket({ client, service, fields, zone: siteTime }, ticket, signal),
    );
  }

  return {
    serviceUser: (signal) => asService(serviceUser(signal)),
    readPipelineTicket: (ticket, signal) => asService(read(ticket, signal)),
    readFirstMessage: (ticket, signal) => asService(readFirstMessage(client, service, ticket, signal)),
    ...createSweptTickets(deps),
    ...createRoster(deps),
    ...createAssignments(deps),
    ...createRoutingWrite(deps),
  };
}
