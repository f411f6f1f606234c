import type { OrgId } from '@deskside/shared/orgid';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { FrappeClient } from './client/client.ts';
import type { MetadataCache } from './client/read-cache.ts';
import { refusalAsOutage } from './client/service-refusal.ts';
import type { SiteZone } from './client/site-time.ts';
import type { WriteQueue } from './client/write-queue.ts';
import type { ReportSkippedFields } from './fields/report-skipped-fields.ts';
import { type SiteFields, withFields } from './fields/site-fields.ts';
import { readCustomerSegment } from './reads/customers/customer-segment.ts';
import { createDesk } from './reads/people/desk.ts';
import { createRoster } from './reads/people/roster.ts';
import { readFirstMessage } from './reads/tickets/first-message.ts';
import { lookAtTickets } from './reads/tickets/look-at-tickets.ts';
import { missingAmong } from './reads/tickets/missing-among.ts';
import { readPipelineTicket } from './reads/tickets/read-pipeline-ticket.ts';
import { createSweptTickets } from './reads/tickets/swept-tickets.ts';
import { readOriginals, readVersions } from './reads/tickets/ticket-origins.ts';
import { createAssignments } from './writes/assignments.ts';
import { createRoutingWrite } from './writes/routing-write.ts';

/**
 * Tickets, teams and assignments as the pipeline needs them. Shares the write queue with everything else that writes
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
  site: Pick<MetadataCache<SiteFields>, 'get' | 'renew'>;
  zone: MetadataCache<SiteZone>;
  enqueue: WriteQueue;
  report: ReportSkippedFields;
  clock: Clock;
}): HelpdeskTickets {
  const { client, service, serviceUser, site, zone } = deps;

  async function read(ticket: string, signal: AbortSignal) {
    const siteTime = await zone.get(signal);
    return withFields(site, signal, (fields) =>
      readPipelineTicket({ client, service, fields, zone: siteTime }, ticket, signal),
    );
  }

  async function customerOf(orgId: OrgId, signal: AbortSignal) {
    const siteTime = await zone.get(signal);
    return withFields(site, signal, (fields) =>
      readCustomerSegment({ client, service, fields, zone: siteTime }, orgId, signal),
    );
  }

  return {
    serviceUser: (signal) => refusalAsOutage(serviceUser(signal)),
    readPipelineTicket: (ticket, signal) => refusalAsOutage(read(ticket, signal)),
    findOriginals: (ticket, inserted, signal) =>
      refusalAsOutage(
        withFields(site, signal, (fields) => readOriginals({ client, fields, service }, ticket, inserted, signal)),
      ),
    readVersions: (ticket, signal) => refusalAsOutage(readVersions(client, service, ticket, signal)),
    findCustomerOf: (orgId, signal) => refusalAsOutage(customerOf(orgId, signal)),
    readFirstMessage: (ticket, signal) => refusalAsOutage(readFirstMessage(client, service, ticket, signal)),
    lookAtTickets: async (tickets, signal) => {
      const siteTime = await refusalAsOutage(zone.get(signal));
      return refusalAsOutage(lookAtTickets({ client, service, zone: siteTime }, tickets, signal));
    },
    missingAmong: (tickets, signal) => refusalAsOutage(missingAmong({ client, service }, tickets, signal)),
    ...createSweptTickets(deps),
    ...createDesk(deps),
    ...createRoster(deps),
    ...createAssignments(deps),
    ...createRoutingWrite(deps),
  };
}
