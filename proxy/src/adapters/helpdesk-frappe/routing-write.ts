import type { HelpdeskTickets } from '../../ports/helpdesk-tickets.ts';
import { asService } from './as-service.ts';
import { type FrappeClient, Named } from './client.ts';
import { FrappeError } from './frappe-error.ts';
import type { ReportLeftOut } from './left-out.ts';
import { planWrite } from './plan-write.ts';
import { noSuchTicket } from './read-ticket.ts';
import type { Remembered } from './remembered.ts';
import type { SiteFields } from './site-fields.ts';
import type { SiteZone } from './site-time.ts';
import { checkTimes, wantedOf } from './ticket-fields.ts';
import type { WriteQueue } from './write-queue.ts';

/** Writes what routing decided to a ticket. `service` is the service account's Authorization header. */
export function createRoutingWrite(deps: {
  client: FrappeClient;
  service: string;
  site: Pick<Remembered<SiteFields>, 'get'>;
  zone: Remembered<SiteZone>;
  enqueue: WriteQueue;
  report: ReportLeftOut;
}): Pick<HelpdeskTickets, 'writeRouting'> {
  const { client, service, site, zone, enqueue, report } = deps;
  return {
    async writeRouting({ file, modified, stored }, wanted, signal) {
      const { name } = file.ticket;
      const fields = (await asService(site.get(signal))).of('HD Ticket');
      const siteTime = await asService(zone.get(signal));
      const { changes, values, leftOut } = planWrite(fields, siteTime, stored, wantedOf(wanted, fields));
      report('HD Ticket', leftOut);
      // Every write makes the agent's page reload (design.md, decision 16).
      if (changes.every(({ field }) => checkTimes.has(field))) return [];
      const update = () => client.update('HD Ticket', name, { ...values, modified }, Named, service, signal);
      try {
        const written = await asService(enqueue(`HD Ticket ${name}`, signal, update));
        if (written.name !== name) throw noSuchTicket();
        return changes;
      } catch (error) {
        if (error instanceof FrappeError && error.excType === 'TimestampMismatchError') return 'changed_meanwhile';
        throw error;
      }
    },
  };
}
