import type { Clock } from '../../ports/clock.ts';
import type { HelpdeskRecords } from '../../ports/helpdesk-records.ts';
import type { Logger } from '../../ports/logger.ts';
import { createAccess } from './access.ts';
import type { FrappeClient } from './client.ts';
import { type CustomerSchema, createCustomerRecords } from './customer-records.ts';
import type { ReportLeftOut } from './left-out.ts';
import type { Remembered } from './remembered.ts';
import type { SiteFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import { createSnapshots } from './snapshots.ts';
import { createTicketLinks } from './ticket-links.ts';
import type { WriteQueue } from './write-queue.ts';

/**
 * The write side of the helpdesk. It shares the queue of writes with whatever else writes tickets.
 *
 * @param deps.service Authorization header of the service account
 * @param deps.site which fields the site has
 * @param deps.zone the site's time zone
 */
export function createRecords(deps: {
  client: FrappeClient;
  service: string;
  site: Pick<Remembered<SiteFields>, 'get' | 'renew'>;
  zone: Remembered<SiteZone>;
  enqueue: WriteQueue;
  report: ReportLeftOut;
  logger: Logger;
  clock: Clock;
}): HelpdeskRecords {
  const { client, site, zone } = deps;

  const reading =
    (read: typeof site.get) =>
    async (signal: AbortSignal): Promise<CustomerSchema> => {
      const [fields, siteZone] = await Promise.all([read(signal), zone.get(signal)]);
      return { fields: fields.of('HD Customer'), zone: siteZone };
    };
  const schema = { get: reading(site.get), renew: reading(site.renew) };

  return {
    ...createAccess(client),
    ...createCustomerRecords({ ...deps, schema }),
    ...createTicketLinks(deps),
    ...createSnapshots(deps),
  };
}
