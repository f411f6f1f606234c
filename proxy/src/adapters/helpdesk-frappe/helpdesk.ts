import * as z from 'zod';
import { memoryBy } from '#adapters/memory-lru/memory.ts';
import type { Upstream } from '#net/egress.ts';
import type { CustomerTickets } from '#ports/helpdesk/customer-tickets.ts';
import type { AccountLinks, Credential, Helpdesk, TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import { boundTo } from '#ports/runtime/bound-to.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { createFrappeClient } from './client/client.ts';
import { createSiteZone, stampBefore, stampOf } from './client/site-time.ts';
import { createWriteQueue, type WriteSigns } from './client/write-queue.ts';
import { createReportSkippedFields } from './fields/plan-write.ts';
import { createSiteFields, forCallers, missingIn, type SiteFields, withFields } from './fields/site-fields.ts';
import { type AccountLinkConfig, createAccountLinks } from './reads/customers/account-link.ts';
import { readCustomerFile } from './reads/customers/customer-file.ts';
import { findCustomerOf } from './reads/customers/customer-segment.ts';
import { isDeskOnly } from './reads/customers/desk-only.ts';
import { searchCustomers } from './reads/customers/search-customers.ts';
import * as access from './reads/people/access.ts';
import { createDesk } from './reads/people/desk.ts';
import { createIdentity } from './reads/people/identity.ts';
import { createRoster } from './reads/people/roster.ts';
import { createWebsiteRights } from './reads/people/website-rights.ts';
import * as customerTickets from './reads/tickets/customer-tickets.ts';
import { readFirstMessage, readPipelineTicket } from './reads/tickets/read-pipeline-ticket.ts';
import { readTicket } from './reads/tickets/read-ticket.ts';
import * as ticketLists from './reads/tickets/ticket-lists.ts';
import { asService, type Site } from './site.ts';
import * as assignments from './writes/assignments.ts';
import * as customerRecords from './writes/customer-records.ts';
import { createSnapshots } from './writes/snapshots.ts';
import * as ticketWrites from './writes/ticket-writes.ts';

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
