import { parseOrgId } from '@deskside/shared/orgid';
import { customerFieldOf } from '#adapters/helpdesk-frappe/fields/customer-fields.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { CompanySnapshot, CustomerFacts, HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import { stampAt } from './desk-people.ts';
import { type Desk, newDesk } from './former-desk.ts';

/** The records of a simulated helpdesk, and what a test does with them. `meanwhile` holds what people do in between. */
export interface FakeRecords extends HelpdeskRecords {
  customers: Customers;
  tickets: { get(ticket: string): string | null | undefined; set(ticket: string, customer: string | null): void };
  snapshots: { get(externalId: string): Partial<CompanySnapshot> | undefined; clear(): void };
  /** Every write that was sent, in order, such as `update Shop lastCheckedAt`. */
  writes: string[];
  reads: number;
  /** Runs before the next write to a record, once. */
  meanwhile: (() => void)[];
  /** A person's edit: changes the record's timestamp. */
  edit(customer: string, facts: CustomerFacts): void;
  setTicket(ticket: string, customer: string | null): void;
  /** Tickets and customers that callers may not touch. */
  denied: Set<string>;
  /** Customers that callers may read but not write. */
  readOnly: Set<string>;
  crmIdIsOpen: boolean;
  orgIdIsOpen: boolean;
  failure: HelpdeskError | null;
}

/** Customers of the helpdesk by name, as the facts that their fields hold. */
interface Customers {
  get(name: string): CustomerFacts | undefined;
  set(name: string, facts: CustomerFacts): void;
  has(name: string): boolean;
  delete(name: string): void;
  clear(): void;
  keys(): string[];
}

type Fact = keyof CustomerFacts;
const factOf = new Map(Object.entries(customerFieldOf).map(([fact, field]) => [field as string, fact as Fact]));
const instants: ReadonlySet<string> = new Set(['companyModifiedAt', 'lastSyncedAt', 'lastCheckedAt', 'notFoundAt']);

function encode(fact: string, value: unknown): unknown {
  return instants.has(fact) && typeof value === 'number' ? stampAt(value) : (value ?? null);
}

function factsOf(document: Readonly<Record<string, unknown>>): CustomerFacts {
  const text = (fact: Fact) => {
    const value = document[customerFieldOf[fact]];
    return value === null || value === undefined ? undefined : String(value);
  };
  const instant = (fact: Fact) => {
    const value = text(fact);
    return value === undefined ? undefined : Date.parse(`${value.slice(0, 19).replace(' ', 'T')}Z`);
  };
  const status = text('syncStatus');
  // An empty number is 0 there.
  const confidence = text('matchConfidence') ?? 0;
  return {
    platformOrgId: parseOrgId(text('platformOrgId')) ?? undefined,
    myplatform: text('myplatform'),
    crmCompanyId: text('crmCompanyId'),
    crmCompanyUrl: text('crmCompanyUrl'),
    matchConfidence: Number(confidence) || undefined,
    syncStatus: (['matched', 'not_found', 'error'] as const).find((one) => one === status),
    segment: text('segment'),
    shopPlan: text('shopPlan'),
    companyModifiedAt: instant('companyModifiedAt'),
    lastSyncedAt: instant('lastSyncedAt'),
    lastCheckedAt: instant('lastCheckedAt'),
    notFoundAt: instant('notFoundAt'),
  };
}

function customersOf({ simulator, save, remove, all }: Desk): Customers {
  const keys = () => all('HD Customer').map(({ name }) => name);
  return {
    keys,
    has: (name) => simulator.document('HD Customer', name)?.name === name,
    get(name) {
      const found = simulator.document('HD Customer', name);
      return found?.name === name ? factsOf(found) : undefined;
    },
    set(name, facts) {
      const values = Object.entries(customerFieldOf).map(([fact, field]) => [field, encode(fact, facts[fact as Fact])]);
      save('HD Customer', name, { customer_name: name, ...Object.fromEntries(values) });
    },
    delete: (name) => remove('HD Customer', name),
    clear() {
      for (const name of keys()) remove('HD Customer', name);
    },
  };
}

export function fakeRecords(desk: Desk = newDesk()): FakeRecords {
  const { helpdesk, simulator, save } = desk;
  const customers = customersOf(desk);
  const snapshots = () => desk.all('HD Customer Data');
  const arrive = () => {
    if (self.failure) throw self.failure;
    self.reads += 1;
  };
  const touch = (...names: string[]) => {
    for (const name of names) if (self.denied.has(name)) throw new HelpdeskError('forbidden', 'denied');
  };
  /** Reads go through as they are. */
  const read =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      arrive();
      return ask(...args);
    };
  /** Before a write whatever happens meanwhile happens; `log` says what was written, null if nothing. */
  const write =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>, log: (result: T, args: A) => string | null) =>
    async (...args: A): Promise<T> => {
      arrive();
      self.meanwhile.shift()?.();
      const result = await ask(...args);
      const said = log(result, args);
      if (said !== null) self.writes.push(said);
      return result;
    };
  const fields = (changes: readonly { field: string }[]) => changes.map(({ field }) => factOf.get(field)).join(' ');

  const self: FakeRecords = {
    customers,
    tickets: {
      get(ticket) {
        const found = simulator.document('HD Ticket', ticket);
        return found && (found.customer ? String(found.customer) : null);
      },
      set: (ticket, customer) => self.setTicket(ticket, customer),
    },
    snapshots: {
      get(externalId) {
        const found = snapshots().find(({ external_id }) => external_id === externalId);
        return (
          found && {
            customer: String(found.hd_customer),
            matchKey: String(found.match_key),
            confidence: Number(found.confidence),
            payload: String(found.summary_json),
          }
        );
      },
      clear() {
        for (const { name } of snapshots()) desk.remove('HD Customer Data', name);
      },
    },
    writes: [],
    reads: 0,
    meanwhile: [],
    denied: new Set(),
    readOnly: new Set(),
    crmIdIsOpen: false,
    orgIdIsOpen: false,
    failure: null,
    edit: (customer, facts) => customers.set(customer, { ...customers.get(customer), ...facts }),
    setTicket(ticket, customer) {
      save('HD Ticket', ticket, { customer });
      if (customer !== null && !customers.has(customer)) customers.set(customer, {});
    },
    async requireTicketWrite(caller, ticket, signal) {
      arrive();
      touch(ticket);
      await helpdesk.requireTicketWrite(caller, ticket, signal);
    },
    async requireCustomerRead(caller, customer, signal) {
      arrive();
      touch(customer);
      await helpdesk.requireCustomerRead(caller, customer, signal);
    },
    async requireCustomerWrite(caller, customer, signal) {
      arrive();
      touch(customer);
      if (self.readOnly.has(customer)) throw new HelpdeskError('forbidden', 'denied');
      await helpdesk.requireCustomerWrite(caller, customer, signal);
    },
    crmIdIsProtected: async (signal) => !self.crmIdIsOpen && helpdesk.crmIdIsProtected(signal),
    orgIdIsProtected: async (signal) => !self.orgIdIsOpen && helpdesk.orgIdIsProtected(signal),
    isNamedByDesk: read(helpdesk.isNamedByDesk),
    readTicketLink: read(helpdesk.readTicketLink),
    readCustomer: read(helpdesk.readCustomer),
    findCustomersByOrgId: read(helpdesk.findCustomersByOrgId),
    findCustomersByCrmId: read(helpdesk.findCustomersByCrmId),
    findCustomersNamed: read(helpdesk.findCustomersNamed),
    planCustomer: helpdesk.planCustomer,
    createCustomer: write(helpdesk.createCustomer, (made, [name]) => made && `create ${name}`),
    updateCustomer: write(helpdesk.updateCustomer, (changes, [{ name }]) =>
      Array.isArray(changes) && changes.length > 0 ? `update ${name} ${fields(changes)}` : null,
    ),
    takeBack: write(helpdesk.takeBack, (changes, [{ name }]) =>
      Array.isArray(changes) && changes.length > 0 ? `take back ${name} ${fields(changes)}` : null,
    ),
    linkTicket: write(helpdesk.linkTicket, (result, [{ name }, customer]) =>
      result === 'linked' ? `link ${name} ${customer}` : null,
    ),
    saveSnapshot: async (snapshot, signal) => {
      arrive();
      const result = await helpdesk.saveSnapshot(snapshot, signal);
      if (result === 'written') self.writes.push(`snapshot ${snapshot.externalId}`);
      return result;
    },
  };
  return self;
}
