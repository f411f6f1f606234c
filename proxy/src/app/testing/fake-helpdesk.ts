import type { HelpdeskCustomer } from '@deskside/shared/profile';
import {
  type Customer,
  type CustomerSearchResult,
  type Helpdesk,
  HelpdeskError,
  type HelpdeskUser,
  type SenderTies,
  type Ticket,
  type TicketFile,
} from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';

/** A helpdesk customer whose fields are empty apart from the given ones. */
export function hdCustomer(name: string, change: Partial<HelpdeskCustomer> = {}): Customer {
  const record: HelpdeskCustomer = {
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
  return {
    name,
    orgIdField: { field: 'custom_platform_orgid', value: record.custom_platform_orgid },
    segment: record.custom_customer_segment,
    shopPlan: record.custom_shopplan_name,
    crmCompanyId: record.custom_crm_company_id,
    crmCompanyUrl: record.custom_crm_company_url,
    syncStatus: record.custom_crm_sync_status,
    record,
  };
}

/** The ticket's field that people and intake write, holding this org id. */
export function currentOrgId(value: unknown): Ticket['orgIdFields'][number] {
  return { field: 'custom_orgid', kind: 'current', value };
}

export function ticketFile(
  name: string,
  orgId: string | null,
  change: Partial<Omit<Ticket, 'record'>> = {},
): TicketFile {
  const ticket: Omit<Ticket, 'record'> = {
    name,
    subject: 'Không in được đơn',
    customer: null,
    customerOrgId: null,
    contact: null,
    agentGroup: null,
    origin: { owner: 'Administrator', raisedBy: 'vy@shop.example', viaCustomerPortal: false },
    orgIdFields: [currentOrgId(orgId)],
    responsible: null,
    ...change,
  };
  const { subject, customer, contact } = ticket;
  const record = {
    ...{ name, subject, customer, contact },
    raised_by: ticket.origin.raisedBy,
    agent_group: ticket.agentGroup,
    custom_orgid: orgId,
  };
  return { ticket: { ...ticket, record }, customer: null, contact: null };
}

/** A helpdesk under a test's control. */
export interface FakeHelpdesk
  extends Helpdesk,
    Pick<HelpdeskTickets, 'isDesk' | 'isSystemAccount' | 'serviceUser' | 'readVersions'> {
  hasAccountLinks: boolean;
  calls: string[];
  /** Tickets that nobody may read. */
  denied: Set<string>;
  ties: SenderTies;
  /** What a search for customers gives. */
  search: CustomerSearchResult | HelpdeskError;
  /** What the site's permissions keep website users from setting. */
  protects: { orgId: boolean; accountLinks: boolean };
  /** Platform accounts, as `<address> <org id>`. */
  accounts: Set<string>;
}

/** A helpdesk with the given tickets and users, by Authorization header. */
export function fakeHelpdesk(tickets: Record<string, TicketFile>, users: Record<string, HelpdeskUser>): FakeHelpdesk {
  const calls: string[] = [];
  const self: FakeHelpdesk = {
    calls,
    hasAccountLinks: false,
    denied: new Set<string>(),
    ties: { customers: [] },
    protects: { orgId: true, accountLinks: true },
    accounts: new Set<string>(),
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
    search: { customers: [], isCut: false },
    searchCustomers: async ({ authorization }) => {
      calls.push('searchCustomers');
      if (!users[authorization]) throw new HelpdeskError('unauthenticated', 'nobody');
      if (self.search instanceof Error) throw self.search;
      return self.search;
    },
    readCustomerPeople: async () => null,
    readTicketsAround: async () => [],
    readSenderTies: async () => {
      calls.push('readSenderTies');
      return self.ties;
    },
    readAccountLinks: async () => {
      calls.push('readAccountLinks');
      return [];
    },
    hasAccountOf: async (sender, orgId) => self.accounts.has(`${sender} ${orgId}`),
    orgIdIsProtected: async () => self.protects.orgId,
    accountLinksAreStaffOnly: async () => self.protects.accountLinks,
    writeResponsible: async (ticket: string, email: string) => {
      calls.push(`writeResponsible ${ticket} ${email}`);
      const file = tickets[ticket];
      if (file) file.ticket.responsible = email;
    },
    warm: async () => {},
    ping: async () => {},
    version: async () => '1.28.1',
    missingFields: () => [],
    serviceUser: async () => 'service@desk.example',
    isSystemAccount: (user) => user === 'Administrator',
    readVersions: async () => [],
    isDesk: async (account: string) => {
      calls.push('isDesk');
      return Object.values(users).some(({ id, isAgent }) => id === account && isAgent);
    },
  };
  return self;
}

/** Several fakes of the helpdesk's parts as one; what two of them have is the first one's. */
export function oneHelpdesk<A extends object, B extends object, C extends object>(a: A, b: B, c: C): A & B & C {
  const partWith = (key: PropertyKey) => [a, b, c].find((part) => key in part);
  return new Proxy({} as A & B & C, {
    get: (_, key) => Reflect.get(partWith(key) ?? a, key),
    has: (_, key) => partWith(key) !== undefined,
  });
}
