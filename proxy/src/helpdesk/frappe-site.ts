import * as z from 'zod';
import type { Upstream } from '#net/egress.ts';
import { boundTo } from '#runtime/bound-to.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import { memoryBy } from '#runtime/lru-memory.ts';
import * as access from './access.ts';
import { type AccountLinkConfig, createAccountLinks } from './account-link.ts';
import * as assignments from './assignments.ts';
import { createFrappeClient } from './client.ts';
import { readCustomerFile } from './customer-file.ts';
import * as customerRecords from './customer-records.ts';
import { findCustomerOf } from './customer-segment.ts';
import type { CustomerTickets } from './customer-tickets.ts';
import { createDesk } from './desk.ts';
import { isDeskOnly } from './desk-only.ts';
import type { AccountLinks, Credential, Helpdesk, TicketFile } from './helpdesk.ts';
import type { HelpdeskRecords } from './helpdesk-records.ts';
import type { HelpdeskTickets } from './helpdesk-tickets.ts';
import { createIdentity } from './identity.ts';
import { createReportSkippedFields } from './plan-write.ts';
import * as customerTickets from './read-customer-tickets.ts';
import { readFirstMessage, readPipelineTicket } from './read-pipeline-ticket.ts';
import { readTicket } from './read-ticket.ts';
import { createRoster } from './roster.ts';
import { searchCustomers } from './search-customers.ts';
import { asService, type Site } from './site.ts';
import { createSiteFields, forCallers, missingIn, type SiteFields, withFields } from './site-fields.ts';
import { createSiteZone, stampBefore, stampOf } from './site-time.ts';
import { createSnapshots } from './snapshots.ts';
import * as ticketLists from './ticket-lists.ts';
import * as ticketWrites from './ticket-writes.ts';
import { createWebsiteRights } from './website-rights.ts';
import { createWriteQueue, type WriteSigns } from './write-queue.ts';

const Versions = z.object({ message: z.object({ helpdesk: z.object({ version: z.string() }).optional() }) });

/** Everything that the service does in one helpdesk. */
export type FrappeHelpdesk = Helpdesk & HelpdeskRecords & HelpdeskTickets & CustomerTickets;

/** One helpdesk, whose connections and cached facts are shared by all that is made from it. */
export interface FrappeSite {
  helpdesk: FrappeHelpdesk;
  /** Its records of platform accounts, by where they are. */
  accountLinks(config: AccountLinkConfig): AccountLinks;
}

/** Frappe Helpdesk, versions 1.24 to 1.28, over its REST API. */
export function createFrappeSite(options: {
  upstream: Upstream;
  /** The service account's `key:secret`. */
  serviceKey: string;
  logger: Logger;
  clock: Clock;
  signs: WriteSigns;
}): FrappeSite {
  const { logger, clock, signs } = options;
  const service = `token ${options.serviceKey}`;
  const client = createFrappeClient(options.upstream);
  const fields = createSiteFields({ client, service, logger, clock });
  const zone = createSiteZone({ client, service, logger, clock });
  const enqueue = createWriteQueue(signs);
  const report = createReportSkippedFields(logger);
  const identity = createIdentity({ client, service });
  const site = forCallers(fields);
  const at: Site = {
    client,
    service,
    serviceUser: identity.serviceUser,
    site,
    zone,
    enqueue,
    report,
    logger,
    clock,
    memory: memoryBy(clock),
  };
  const desk = createDesk(at);
  const { customersAreClosed, ...rights } = createWebsiteRights(at);

  const helpdesk = {
    ...asService(at, {
      ...assignments,
      ...customerRecords,
      ...ticketLists,
      ...ticketWrites,
      findCustomerOf,
      readFirstMessage,
      readPipelineTicket,
      stampOf,
    }),
    ...asService({ ...at, customersAreClosed }, { isDeskOnly }),
    stampBefore,
    ...createSnapshots(at),
    ...createRoster(at),
    ...boundTo(at, { ...access, ...customerTickets }),
    ...identity,
    ...desk,
    ...rights,

    async readTicket({ authorization }: Credential, name: string, signal: AbortSignal): Promise<TicketFile> {
      return withFields(site, signal, (fields) => readTicket(client, fields, authorization, name, signal));
    },

    readCustomerFile: ({ authorization }, names, signal) => readCustomerFile(client, authorization, names, signal),

    async searchCustomers({ authorization: caller }, readings, signal) {
      const search = (fields: SiteFields) => searchCustomers({ client, fields, caller, signal }, readings);
      return withFields(site, signal, search);
    },

    async warm(signal) {
      await fields.get(signal);
    },

    async version(signal) {
      const method = 'frappe.utils.change_log.get_versions';
      return (await client.call(method, {}, Versions, service, signal)).message.helpdesk?.version ?? null;
    },

    missingFields() {
      const known = fields.known();
      return known === undefined ? null : missingIn(known);
    },
  } satisfies FrappeHelpdesk;

  return { helpdesk, accountLinks: (config) => createAccountLinks(at, config) };
}
