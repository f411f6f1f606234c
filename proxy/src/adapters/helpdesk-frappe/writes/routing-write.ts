import type { FieldChange } from '@deskside/shared/enrichment';
import { type FrappeClient, Named } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import type { MetadataCache } from '#adapters/helpdesk-frappe/client/read-cache.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/service-refusal.ts';
import type { SiteZone } from '#adapters/helpdesk-frappe/client/site-time.ts';
import type { WriteQueue } from '#adapters/helpdesk-frappe/client/write-queue.ts';
import { planBack, planWrite, type WritePlan } from '#adapters/helpdesk-frappe/fields/plan-write.ts';
import type { ReportSkippedFields } from '#adapters/helpdesk-frappe/fields/report-skipped-fields.ts';
import type { SiteFields } from '#adapters/helpdesk-frappe/fields/site-fields.ts';
import { checkTimes, desiredOf } from '#adapters/helpdesk-frappe/fields/ticket-fields.ts';
import { noSuchTicket } from '#adapters/helpdesk-frappe/reads/tickets/read-ticket.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';

/** Writes routing decisions to tickets, and takes them back. `service` is the service account's Authorization header. */
export function createRoutingWrite(deps: {
  client: FrappeClient;
  service: string;
  site: Pick<MetadataCache<SiteFields>, 'get'>;
  zone: MetadataCache<SiteZone>;
  enqueue: WriteQueue;
  report: ReportSkippedFields;
}): Pick<HelpdeskTickets, 'writeRouting' | 'clearRouting' | 'takeBackRouting'> {
  const { client, service, site, zone, enqueue, report } = deps;

  async function schema(signal: AbortSignal) {
    const fields = (await refusalAsOutage(site.get(signal))).of('HD Ticket');
    return { fields, siteTime: await refusalAsOutage(zone.get(signal)) };
  }

  async function write(
    { file, modified }: PipelineTicket,
    changes: FieldChange[],
    values: WritePlan['values'],
    signal: AbortSignal,
  ): Promise<FieldChange[] | 'changed_meanwhile'> {
    const { name } = file.ticket;
    const update = () => client.update('HD Ticket', name, { ...values, modified }, Named, service, signal);
    try {
      const written = await refusalAsOutage(enqueue(`HD Ticket ${name}`, signal, update));
      if (written.name !== name) throw noSuchTicket();
      return changes;
    } catch (error) {
      if (error instanceof FrappeError && error.excType === 'TimestampMismatchError') return 'changed_meanwhile';
      throw error;
    }
  }

  return {
    async writeRouting(ticket, desired, signal) {
      const { fields, siteTime } = await schema(signal);
      const { changes, values, skippedFields } = planWrite(fields, siteTime, ticket.stored, desiredOf(desired, fields));
      report('HD Ticket', skippedFields);
      // Every write makes the agent's page reload (docs/decisions.md 16).
      if (changes.every(({ field, from }) => checkTimes.has(field) && from !== null)) return [];
      return write(ticket, changes, values, signal);
    },

    async clearRouting(ticket, written, instead, signal) {
      const { fields, siteTime } = await schema(signal);
      const plan = (desired: RoutingFields) => planWrite(fields, siteTime, ticket.stored, desiredOf(desired, fields));
      const isShown = (member: string, value: unknown) => {
        const { changes, skippedFields } = plan({ [member]: value });
        return changes.length === 0 && skippedFields.length === 0;
      };
      const due = Object.entries(written).filter(([member, value]) => isShown(member, value));
      const others = Object.entries(instead).filter(([member]) => !(member in written));
      const replaced = due.map(([member]) => [member, instead[member as keyof RoutingFields] ?? null]);
      // A field that the site lacks has nothing to clear, so nothing is reported.
      const { changes, values } = plan(Object.fromEntries([...replaced, ...others]));
      return changes.length === 0 ? [] : write(ticket, changes, values, signal);
    },

    async takeBackRouting(ticket, changes, signal) {
      const { fields } = await schema(signal);
      const { due, values } = planBack(fields, ticket.stored, changes);
      return due.length === 0 ? [] : write(ticket, due, values, signal);
    },
  };
}
