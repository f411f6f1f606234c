import type { HelpdeskCustomer } from '@deskside/shared/profile';
import {
  type Helpdesk,
  HelpdeskError,
  type HelpdeskUser,
  type SenderTies,
  type TicketFile,
} from '../../ports/helpdesk.ts';
import type { HelpdeskTickets } from '../../ports/helpdesk-tickets.ts';

/** A customer of the helpdesk, with nothing in his fields but what is given. */
export function hdCustomer(name: string, change: Partial<HelpdeskCustomer> = {}): HelpdeskCustomer {
  return {
    name,
    customer_name: name,
    domain: null,
    custom_platform_orgid: null,
    custom_myplatform: null,
    custom_customer_segment: null,
    custom_shopplan_name: null,
    custom_crm_company_id: null,
    custom_crm_company_url: null,
    custom_crm_sync_status: null,
    custom_crm_last_synced_at: null,
    custom_crm_last_checked_at: null,
    ...change,
  };
}

export function ticketFile(name: string, orgId: string | null, change: Partial<TicketFile['ticket']> = {}): TicketFile {
  return {
    ticket: {
      name,
      subject: 'Không in được đơn',
      customer: null,
      contact: null,
      agentGroup: null,
      origin: { owner: 'Administrator', raisedBy: 'vy@shop.example', viaCustomerPortal: false },
      orgIdFields: [{ field: 'custom_orgid', value: orgId }],
      responsible: null,
      ...change,
    },
    customer: null,
    contact: null,
  };
}

/** A helpdesk under a test's control. */
export interface FakeHelpdesk extends Helpdesk, Pick<HelpdeskTickets, 'isAgent'> {
  hasAccountLinks: boolean;
  calls: string[];
  /** Tickets that nobody may read. */
  denied: Set<string>;
  ties: SenderTies;
}

/** A helpdesk with the given tickets and users, by Authorization header. */
export function fakeHelpdesk(tickets: Record<string, TicketFile>, users: Record<string, HelpdeskUser>): FakeHelpdesk {
  const calls: string[] = [];
  const self: FakeHelpdesk = {
    calls,
    hasAccountLinks: false,
    denied: new Set<string>(),
    ties: { customers: [] },
    identify: async ({ authorization }: { authorization: string }) => {
      calls.push('identify');
      const user = users[authorization];
      if (!user) throw new HelpdeskError('unauthenticated', 'nobody');
      return user;
    },
    readTicket: async ({ authorization }: { authorization: string }, name: string) => {
      calls.push('readTicket');
      if (!users[authorization]) throw new HelpdeskError('unauthenticated', 'nobody');
      const file = tickets[name];
      if (!file) throw new HelpdeskError('not_found', 'none');
      if (self.denied.has(name)) throw new HelpdeskError('forbidden', 'denied');
      return structuredClone(file);
    },
    readCustomerFile: async ({ authorization }: { authorization: string }, { customer, contact }) => {
      calls.push(`readCustomerFile ${customer}`);
      if (!users[authorization]) throw new HelpdeskError('unauthenticated', 'nobody');
      const file = Object.values(tickets).find((t) => t.customer?.name === customer);
      if (!file?.customer) throw new HelpdeskError('not_found', 'none');
      if (self.denied.has(customer)) throw new HelpdeskError('forbidden', 'denied');
      if (contact !== null && file.contact?.name !== contact) throw new HelpdeskError('not_found', 'none');
      return structuredClone({ customer: file.customer, contact: contact === null ? null : file.contact });
    },
    readSenderTies: async () => {
      calls.push('readSenderTies');
      return self.ties;
    },
    readAccountLinks: async () => {
      calls.push('readAccountLinks');
      return [];
    },
    writeResponsible: async (ticket: string, email: string) => {
      calls.push(`writeResponsible ${ticket} ${email}`);
      const file = tickets[ticket];
      if (file) file.ticket.responsible = email;
    },
    warm: async () => {},
    ping: async () => {},
    missingFields: () => [],
    isAgent: async (user: string) => {
      calls.push('isAgent');
      return Object.values(users).some(({ id, isAgent }) => id === user && isAgent);
    },
  };
  return self;
}
