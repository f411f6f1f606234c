import * as z from 'zod';
import type { Upstream } from '../../net/egress.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Credential, type Helpdesk, HelpdeskError, type TicketFile } from '../../ports/helpdesk.ts';
import type { HelpdeskRecords } from '../../ports/helpdesk-records.ts';
import type { HelpdeskTickets } from '../../ports/helpdesk-tickets.ts';
import type { Logger } from '../../ports/logger.ts';
import { type AccountLinkConfig, createAccountLinks } from './account-link.ts';
import { createFrappeClient, Named } from './client.ts';
import { readCustomerFile } from './customer-file.ts';
import { createReportLeftOut } from './left-out.ts';
import { readTicket } from './read-ticket.ts';
import { createRecords } from './records.ts';
import { readSenderTies } from './sender-ties.ts';
import { createSiteFields, type SiteFields, withFields } from './site-fields.ts';
import { createSiteZone } from './site-zone.ts';
import { createTickets } from './tickets.ts';
import { createWriteQueue } from './write-queue.ts';

const CurrentUser = z.object({
  message: z.object({ user_id: z.string(), user_name: z.string().nullish(), is_agent: z.boolean() }),
});

/** Users that are nobody's own, or everybody's: never an agent (design.md section 2). */
const noAgents = ['Administrator', 'Guest'];

/** Frappe Helpdesk, versions 1.24 to 1.28, over its REST API. */
export function createFrappeHelpdesk(options: {
  upstream: Upstream;
  /** API key and secret of the service account. */
  serviceKey: string;
  serviceSecret: string;
  accountLinks: AccountLinkConfig | null;
  logger: Logger;
  clock: Clock;
}): Helpdesk & HelpdeskRecords & HelpdeskTickets {
  const { logger, clock } = options;
  const service = `token ${options.serviceKey}:${options.serviceSecret}`;
  const client = createFrappeClient(options.upstream);
  const site = createSiteFields({ client, service, logger, clock });
  const links = createAccountLinks({ config: options.accountLinks, client, service, logger, clock });
  const zone = createSiteZone({ client, service, logger, clock });
  const enqueue = createWriteQueue();
  const report = createReportLeftOut(logger);
  let serviceUser: string | undefined;

  async function whoIs(authorization: string, signal: AbortSignal) {
    return (await client.call('helpdesk.api.auth.get_user', {}, CurrentUser, authorization, signal)).message;
  }

  const serviceAccount = {
    authorization: service,
    async user(signal: AbortSignal) {
      serviceUser ??= (await whoIs(service, signal)).user_id;
      return serviceUser;
    },
  };

  /** What a caller asks for must not fail as if he himself were refused where it is the service account. */
  async function fieldsFor(read: (signal: AbortSignal) => Promise<SiteFields>, signal: AbortSignal) {
    return read(signal).catch((error: unknown) => {
      if (!(error instanceof HelpdeskError) || error.kind === 'timeout') throw error;
      throw new HelpdeskError('unavailable', `The service account cannot read the fields. ${error.message}`);
    });
  }

  const siteForCallers = {
    get: (signal: AbortSignal) => fieldsFor(site.get, signal),
    renew: (signal: AbortSignal) => fieldsFor(site.renew, signal),
  };

  const shared = { client, service, site: siteForCallers, zone, enqueue, report, logger, clock };

  return {
    ...createRecords(shared),
    ...createTickets({ ...shared, serviceUser: serviceAccount.user }),

    async identify({ authorization }, signal) {
      const user = await whoIs(authorization, signal).catch((error: unknown) => {
        // A credential without meaning is treated as Guest, who may not call this (facts/live.md section 2).
        if (error instanceof HelpdeskError && error.kind === 'forbidden') throw nobody();
        throw error;
      });
      if (user.user_id === 'Guest') throw nobody();
      const isAgent = user.is_agent && !noAgents.includes(user.user_id);
      return { id: user.user_id, fullName: user.user_name || null, isAgent };
    },

    async readTicket({ authorization }: Credential, name, signal): Promise<TicketFile> {
      return withFields(siteForCallers, signal, (fields) => readTicket(client, fields, authorization, name, signal));
    },

    readCustomerFile: ({ authorization }, names, signal) => readCustomerFile(client, authorization, names, signal),

    async readSenderTies(sender, orgId, signal) {
      return readSenderTies({ client, fields: await site.get(signal), service: serviceAccount, signal }, sender, orgId);
    },

    get hasAccountLinks() {
      return links.available;
    },

    readAccountLinks: (customer, signal) => links.read(customer, signal),

    async writeResponsible(ticket, email, signal) {
      if (!(await site.get(signal)).has('HD Ticket', 'custom_responsible')) return;
      const written = await enqueue(`HD Ticket ${ticket}`, signal, () =>
        client.update('HD Ticket', ticket, { custom_responsible: email }, Named, service, signal),
      );
      if (written.name !== ticket) throw new HelpdeskError('not_found', 'The helpdesk has no ticket of this name.');
    },

    async warm(signal) {
      await site.get(signal);
    },

    async ping(signal) {
      await whoIs(service, signal);
    },

    missingFields: () => site.missing(),
  };
}

function nobody(): HelpdeskError {
  return new HelpdeskError('unauthenticated', 'The credential is nobody’s.');
}
