import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type {
  CompanySnapshot,
  CustomerFacts,
  CustomerRecord,
  HelpdeskRecords,
} from '#ports/helpdesk/helpdesk-records.ts';

/** A helpdesk's records under a test's control. `meanwhile` holds what people do in between. */
export interface FakeRecords extends HelpdeskRecords {
  customers: Map<string, CustomerFacts>;
  tickets: Map<string, string | null>;
  snapshots: Map<string, CompanySnapshot>;
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
  keepsSnapshots: boolean;
  failure: HelpdeskError | null;
}

export function fakeRecords(): FakeRecords {
  const stamps = new Map<string, number>();
  const stamp = (key: string) => String(stamps.get(key) ?? 0);
  const touch = (key: string) => stamps.set(key, (stamps.get(key) ?? 0) + 1);
  const shown = (value: unknown) => (value === null || value === undefined ? null : String(value));
  const plan = (stored: Readonly<Record<string, unknown>>, facts: CustomerFacts): FieldChange[] =>
    Object.entries(facts).flatMap(([field, to]) =>
      shown(stored[field]) === shown(to) ? [] : [{ field, from: shown(stored[field]), to: shown(to) }],
    );
  const recordOf = (name: string, facts: CustomerFacts): CustomerRecord => ({
    name,
    modified: stamp(name),
    orgId: facts.platformOrgId ?? null,
    crmCompanyId: facts.crmCompanyId ?? null,
    companyModifiedAt: facts.companyModifiedAt ?? null,
    lastCheckedAt: facts.lastCheckedAt ?? null,
    stored: { ...facts },
  });
  const arrive = async () => {
    // Every call yields once, so that simultaneous callers interleave.
    await new Promise((resolve) => setImmediate(resolve));
    if (self.failure) throw self.failure;
    self.reads += 1;
  };
  const interrupt = () => self.meanwhile.shift()?.();
  const find = (test: (facts: CustomerFacts) => boolean) =>
    [...self.customers].filter(([, facts]) => test(facts)).map(([name, facts]) => recordOf(name, facts));

  const self: FakeRecords = {
    customers: new Map(),
    tickets: new Map(),
    snapshots: new Map(),
    writes: [],
    reads: 0,
    meanwhile: [],
    denied: new Set(),
    readOnly: new Set(),
    crmIdIsOpen: false,
    orgIdIsOpen: false,
    keepsSnapshots: true,
    failure: null,
    edit(customer, facts) {
      self.customers.set(customer, { ...self.customers.get(customer), ...facts });
      touch(customer);
    },
    setTicket(ticket, customer) {
      self.tickets.set(ticket, customer);
      touch(ticket);
    },
    async requireTicketWrite(_, ticket) {
      await arrive();
      if (self.denied.has(ticket)) throw new HelpdeskError('forbidden', 'denied');
    },
    async requireCustomerRead(_, customer) {
      await arrive();
      if (!self.customers.has(customer)) throw new HelpdeskError('not_found', 'none');
      if (self.denied.has(customer)) throw new HelpdeskError('forbidden', 'denied');
    },
    async requireCustomerWrite(_, customer) {
      await arrive();
      if (self.denied.has(customer) || self.readOnly.has(customer)) throw new HelpdeskError('forbidden', 'denied');
    },
    crmIdIsProtected: async () => !self.crmIdIsOpen,
    orgIdIsProtected: async () => !self.orgIdIsOpen,
    async readTicketLink(ticket) {
      await arrive();
      const customer = self.tickets.get(ticket);
      if (customer === undefined) throw new HelpdeskError('not_found', 'none');
      return { name: ticket, customer, modified: stamp(ticket) };
    },
    async readCustomer(name) {
      await arrive();
      const facts = self.customers.get(name);
      return facts === undefined ? null : recordOf(name, facts);
    },
    async findCustomersByOrgId(orgId: OrgId) {
      await arrive();
      return find((facts) => facts.platformOrgId === orgId);
    },
    async findCustomersByCrmId(id) {
      await arrive();
      return find((facts) => facts.crmCompanyId === id);
    },
    async findCustomersNamed(name) {
      await arrive();
      const same = ([other]: [string, CustomerFacts]) => other.toLowerCase() === name.toLowerCase();
      return [...self.customers].filter(same).map(([other, facts]) => recordOf(other, facts));
    },
    planCustomer: (record, facts) => plan(record?.stored ?? {}, facts),
    async createCustomer(name, facts) {
      await arrive();
      interrupt();
      if (self.customers.has(name)) return null;
      self.writes.push(`create ${name}`);
      self.customers.set(name, facts);
      return recordOf(name, facts);
    },
    async updateCustomer(record, facts) {
      const changes = plan(record.stored, facts);
      if (changes.length === 0) return [];
      await arrive();
      interrupt();
      if (stamp(record.name) !== record.modified) return 'changed_meanwhile';
      self.writes.push(`update ${record.name} ${changes.map(({ field }) => field).join(' ')}`);
      self.edit(record.name, facts);
      return changes;
    },
    async takeBack(record, changes) {
      await arrive();
      interrupt();
      if (stamp(record.name) !== record.modified) return 'changed_meanwhile';
      const due = changes.filter(({ field, to }) => shown(record.stored[field]) === to);
      if (due.length === 0) return [];
      const back = due.map(({ field, from, to }) => ({ field, from: to, to: from }));
      self.writes.push(`take back ${record.name} ${back.map(({ field }) => field).join(' ')}`);
      const values = Object.fromEntries(back.map(({ field, to }) => [field, to ?? undefined]));
      self.edit(record.name, values);
      return back;
    },
    async linkTicket({ name, customer: present, modified }, customer) {
      if (present === customer) return 'unchanged';
      await arrive();
      interrupt();
      if (stamp(name) !== modified) return 'changed_meanwhile';
      self.writes.push(`link ${name} ${customer}`);
      self.setTicket(name, customer);
      return 'linked';
    },
    async saveSnapshot(snapshot) {
      await arrive();
      if (!self.keepsSnapshots) return 'absent';
      const { syncedAt: _, ...stored } = self.snapshots.get(snapshot.externalId) ?? { syncedAt: 0 };
      const { syncedAt: __, ...desired } = snapshot;
      if (JSON.stringify(stored) === JSON.stringify(desired)) return 'unchanged';
      self.writes.push(`snapshot ${snapshot.externalId}`);
      self.snapshots.set(snapshot.externalId, snapshot);
      return 'written';
    },
  };
  return self;
}
