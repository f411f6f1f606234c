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
import { type Desk, newDesk } from './former-desk.ts';

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
function currentOrgId(value: unknown): Ticket['orgIdFields'][number] {
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
    name,
    subject,
    customer,
    contact,
    raised_by: ticket.origin.raisedBy,
    agent_group: ticket.agentGroup,
    custom_orgid: orgId,
  };
  return { ticket: { ...ticket, record }, customer: null, contact: null };
}

/** A simulated helpdesk, what was asked of it, and what a test says of it. */
export interface FakeHelpdesk
  extends Helpdesk,
    Pick<HelpdeskTickets, 'isDesk' | 'systemAccount' | 'serviceUser' | 'readVersions'> {
  desk: Desk;
  hasAccountLinks: () => boolean;
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

/** Brings the helpdesk's ticket, and its customer and contact if there are some, to what the file says. */
function putFile({ save }: Pick<Desk, 'save'>, { ticket, customer, contact }: TicketFile): void {
  const { name, subject, agentGroup, origin, responsible, customerOrgId } = ticket;
  save('HD Ticket', name, {
    subject,
    customer: ticket.customer,
    contact: ticket.contact,
    agent_group: agentGroup,
    owner: origin.owner,
    raised_by: origin.raisedBy,
    via_customer_portal: origin.viaCustomerPortal ? 1 : 0,
    ...Object.fromEntries(ticket.orgIdFields.map(({ field, value }) => [field, value])),
    custom_responsible: responsible ?? null,
  });
  if (customer) save('HD Customer', customer.name, { ...customer.record });
  else if (ticket.customer && customerOrgId)
    save('HD Customer', ticket.customer, { customer_name: ticket.customer, custom_platform_orgid: customerOrgId });
  if (contact) save('Contact', contact.name, { ...contact });
}

/**
 * A simulated helpdesk with the given users, by Authorization header, and these tickets. A test may change a file,
 * or put another one in its place. `desk`: where other stand-ins work too, with the same users.
 */
export function fakeHelpdesk(
  tickets: Record<string, TicketFile>,
  users: Record<string, HelpdeskUser>,
  desk: Desk = newDesk(users),
): FakeHelpdesk {
  const { helpdesk } = desk;
  const calls: string[] = [];
  const asPut = new Map<string, string>();
  const put = (name: string) => {
    const file = tickets[name];
    const now = JSON.stringify(file);
    if (file && asPut.get(name) !== now) putFile(desk, file);
    asPut.set(name, now);
  };
  for (const name of Object.keys(tickets)) put(name);
  const self: FakeHelpdesk = {
    desk,
    calls,
    readCustomerPeople: helpdesk.readCustomerPeople,
    readTicketsAround: helpdesk.readTicketsAround,
    readVersions: helpdesk.readVersions,
    serviceUser: helpdesk.serviceUser,
    systemAccount: helpdesk.systemAccount,
    warm: helpdesk.warm,
    ping: helpdesk.ping,
    version: helpdesk.version,
    missingFields: helpdesk.missingFields,
    hasAccountLinks: () => false,
    denied: new Set<string>(),
    ties: { customers: [] },
    protects: { orgId: true, accountLinks: true },
    accounts: new Set<string>(),
    identify(caller, signal) {
      calls.push('identify');
      return helpdesk.identify(caller, signal);
    },
    async readTicket(caller, name, signal) {
      calls.push('readTicket');
      put(name);
      const file = await helpdesk.readTicket(caller, name, signal);
      if (self.denied.has(name)) throw new HelpdeskError('forbidden', 'denied');
      return file;
    },
    async readCustomerFile(caller, names, signal) {
      calls.push(`readCustomerFile ${names.customer}`);
      const file = await helpdesk.readCustomerFile(caller, names, signal);
      if (self.denied.has(names.customer)) throw new HelpdeskError('forbidden', 'denied');
      return file;
    },
    search: { customers: [], isCut: false },
    async searchCustomers(caller, _, signal) {
      calls.push('searchCustomers');
      await helpdesk.identify(caller, signal);
      if (self.search instanceof Error) throw self.search;
      return self.search;
    },
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
    writeResponsible(ticket, email, signal) {
      calls.push(`writeResponsible ${ticket} ${email}`);
      return helpdesk.writeResponsible(ticket, email, signal);
    },
    isDesk(account, signal) {
      calls.push('isDesk');
      return helpdesk.isDesk(account, signal);
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
