import { type FrappeClient, Named } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import type { MetadataCache } from '#adapters/helpdesk-frappe/client/read-cache.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/service-refusal.ts';
import type { SiteZone } from '#adapters/helpdesk-frappe/client/site-time.ts';
import type { WriteQueue } from '#adapters/helpdesk-frappe/client/write-queue.ts';
import { planWrite } from '#adapters/helpdesk-frappe/fields/plan-write.ts';
import type { ReportSkippedFields } from '#adapters/helpdesk-frappe/fields/report-skipped-fields.ts';
import type { SiteFields } from '#adapters/helpdesk-frappe/fields/site-fields.ts';
import { checkTimes, desiredOf } from '#adapters/helpdesk-frappe/fields/ticket-fields.ts';
import { noSuchTicket } from '#adapters/helpdesk-frappe/reads/read-ticket.ts';
import type { HelpdeskTickets } from '#ports/helpdesk-tickets.ts';

/** Writes routing decisions to tickets. `service` is the service account's Authorization header. */
export function createRoutingWrite(deps: {
  client: FrappeClient;
  service: string;
  site: Pick<MetadataCache<SiteFields>, 'get'>;
  zone: MetadataCache<SiteZone>;
  enqueue: WriteQueue;
  report: ReportSkippedFields;
}): Pick<HelpdeskTickets, 'writeRouting'> {
  const { client, service, site, zone, enqueue, report } = deps;
  return {
    async writeRouting({ file, modified, stored }, desired, signal) {
      const { name } = file.ticket;
      const fields = (await refusalAsOutage(site.get(signal))).of('HD Ticket');
      const siteTime = await refusalAsOutage(zone.get(signal));
      const { changes, values, skippedFields } = planWrite(fields, siteTime, stored, desiredOf(desired, fields));
      report('HD Ticket', skippedFields);
      // Every write makes the agent's page reload (docs/decisions.md 16).
      if (changes.every(({ field, from }) => checkTimes.has(field) && from !== null)) return [];
      const update = () => client.update('HD Ticket', name, { ...values, modified }, Named, service, signal);
      try {
        const written = await refusalAsOutage(enqueue(`HD Ticket ${name}`, signal, update));
        if (written.name !== name) throw noSuchTicket();
        return changes;
      } catch (error) {
        if (error instanceof FrappeError && error.excType === 'TimestampMismatchError') return 'changed_meanwhile';
        throw error;
      }
    },
  };
}
