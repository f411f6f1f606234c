import * as z from 'zod';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { FrappeClient } from './client.ts';
import { createMetadataCache, type MetadataCache } from './metadata-cache.ts';
import { type SiteZone, siteZone } from './site-time.ts';

const Answer = z.object({ message: z.object({ time_zone: z.string() }) });

/** The site's own time zone, read as the service account. */
export function createSiteZone(deps: {
  client: FrappeClient;
  service: string;
  logger: Logger;
  clock: Clock;
}): MetadataCache<SiteZone> {
  const { client, service, logger, clock } = deps;
  return createMetadataCache({
    subject: 'The time zone of the helpdesk',
    async read(signal) {
      const { message } = await client.call('frappe.client.get_time_zone', {}, Answer, service, signal);
      try {
        return siteZone(message.time_zone);
      } catch {
        throw new HelpdeskError('bad_answer', 'The helpdesk reports a time zone that does not exist.');
      }
    },
    logger,
    clock,
  });
}
