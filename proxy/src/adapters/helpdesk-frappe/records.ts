import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { FrappeClient } from './client/client.ts';
import type { MetadataCache } from './client/read-cache.ts';
import type { SiteZone } from './client/site-time.ts';
import type { WriteQueue } from './client/write-queue.ts';
import type { ReportSkippedFields } from './fields/report-skipped-fields.ts';
import type { SiteFields } from './fields/site-fields.ts';
import { createAccess } from './reads/people/access.ts';
import { type CustomerSchema, createCustomerRecords } from './writes/customer-records.ts';
import { createSnapshots } from './writes/snapshots.ts';
import { createTicketLinks } from './writes/ticket-links.ts';

/**
 * The write side of the helpdesk. Shares the write queue with everything else that writes tickets.
 *
 * @param deps.service Authorization header of the service account
 * @param deps.site which fields the site has
 * @param deps.zone the site's time zone
 */
export function createRecords(deps: {
  client: FrappeClient;
  service: string;
  site: MetadataCache<SiteFields>;
  zone: MetadataCache<SiteZone>;
  enqueue: WriteQueue;
  report: ReportSkippedFields;
  logger: Logger;
  clock: Clock;
}): Omit<HelpdeskRecords, 'crmIdIsProtected' | 'orgIdIsProtected'> {
  const { client, site, zone } = deps;

  const reading =
    (read: typeof site.get) =>
    async (signal: AbortSignal): Promise<CustomerSchema> => {
      const [fields, siteZone] = await Promise.all([read(signal), zone.get(signal)]);
      return { fields: fields.of('HD Customer'), zone: siteZone };
    };
  const schema = {
    get: reading(site.get),
    renew: reading(site.renew),
    known() {
      const [fields, siteZone] = [site.known(), zone.known()];
      return fields && siteZone && { fields: fields.of('HD Customer'), zone: siteZone };
    },
  };

  return {
    ...createAccess(client),
    ...createCustomerRecords({ ...deps, schema }),
    ...createTicketLinks(deps),
    ...createSnapshots(deps),
  };
}
