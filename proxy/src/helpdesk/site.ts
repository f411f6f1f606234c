import { type BoundTo, boundTo } from '#runtime/bound-to.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import type { Memory } from '#runtime/memory.ts';
import type { FrappeClient } from './client.ts';
import { refusalAsOutage } from './frappe-error.ts';
import type { MetadataCache } from './metadata-cache.ts';
import type { ReportSkippedFields } from './plan-write.ts';
import type { SiteFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import type { WriteQueue } from './write-queue.ts';

/** One helpdesk as everything works with it that asks or writes as the service account. */
export interface Site {
  client: FrappeClient;
  /** Authorization header of the service account. */
  service: string;
  /** Name of its user. */
  serviceUser(signal: AbortSignal): Promise<string>;
  /** Which fields the site has. */
  site: MetadataCache<SiteFields>;
  /** The site's time zone. */
  zone: MetadataCache<SiteZone>;
  /** Shared by everything that writes. */
  enqueue: WriteQueue;
  report: ReportSkippedFields;
  logger: Logger;
  clock: Clock;
  /** What is asked of the site and kept for a moment. */
  memory: Memory;
}

type OnSite<S extends Site> = Record<string, (at: S, ...asked: never[]) => unknown>;

/** Functions of a site as its methods, in which a refusal of the service account is an outage. */
export function asService<S extends Site, F extends OnSite<S>>(at: S, functions: F): BoundTo<S, F> {
  return boundTo(at, functions, (answer) => (answer instanceof Promise ? refusalAsOutage(answer) : answer));
}
