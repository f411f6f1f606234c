import { orgIdInName } from '#domain/intake/org-id-candidates.ts';
import { plainDomain, plainName } from './plain-name.ts';

/** What of a customer may give it away as another's twin. Empty: unknown. */
export interface TwinCandidate {
  name: string;
  domain: string;
  orgId: string;
  crmId: string;
}

/** Customers that look like one company, and why. */
export interface Twins<Customer> {
  same: { what: 'org_id' | 'crm_id' | 'name' | 'domain'; value: string }[];
  customers: Customer[];
}

/**
 * Customers that look like one company: the same org id, the same id in the CRM, or the same name or domain where at
 * least one of them has no org id. Two shops of one name with an org id each are two shops. In the order of the first
 * customer of each group; a group that is found for several reasons comes once.
 */
export function findTwins<Customer extends TwinCandidate>(customers: readonly Customer[]): Twins<Customer>[] {
  const found = new Map<string, Twins<Customer>>();
  const indexOf = new Map(customers.map((customer, index) => [customer, index]));
  const marks = {
    org_id: ({ orgId }: Customer) => orgId,
    crm_id: ({ crmId }: Customer) => crmId,
    name: ({ name }: Customer) => plainName(name),
    domain: ({ domain }: Customer) => plainDomain(domain),
  };
  for (const what of ['org_id', 'crm_id', 'name', 'domain'] as const) {
    for (const [value, group] of Map.groupBy(customers, marks[what])) {
      if (value === '' || group.length < 2) continue;
      if ((what === 'name' || what === 'domain') && group.every(({ orgId }) => orgId !== '')) continue;
      const key = group.map((customer) => indexOf.get(customer)).join();
      const twins = found.get(key) ?? { same: [], customers: group };
      twins.same.push({ what, value });
      found.set(key, twins);
    }
  }
  const first = ({ customers: [one] }: Twins<Customer>) => (one && indexOf.get(one)) ?? 0;
  return [...found.values()].sort((a, b) => first(a) - first(b));
}

/** What of a twin says which one to keep. `creation`: the helpdesk's timestamp. */
interface Keepable {
  name: string;
  orgId: string;
  members: number;
  tickets: number;
  creation: string;
}

/** Which of some twins to keep, and by what: nothing is lost that is hard to get again. */
export interface Keeper<Customer> {
  keep: Customer;
  why: 'org_id' | 'members' | 'tickets' | 'older';
}

/**
 * Which one of twins to keep when they are joined: the one with the org id, else with more members, which joining does not
 * move from 1.28 on, else with more tickets, else the older one. Null if they have several org ids: these are two companies.
 */
export function keeperOf<Customer extends Keepable>(twins: readonly Customer[]): Keeper<Customer> | null {
  const orgIdOf = ({ orgId, name }: Customer) => orgId || (orgIdInName(name) ?? '');
  if (new Set(twins.map(orgIdOf).filter((orgId) => orgId !== '')).size > 1) return null;
  const marks = [
    ['org_id', (one: Customer) => (one.orgId === '' ? Number(orgIdOf(one) !== '') : 2)],
    ['members', (one: Customer) => one.members],
    ['tickets', (one: Customer) => one.tickets],
  ] as const;
  let left = twins.toSorted((a, b) => (a.creation < b.creation ? -1 : 1));
  for (const [why, markOf] of marks) {
    const most = Math.max(...left.map(markOf));
    const best = left.filter((one) => markOf(one) === most);
    if (best.length === 1 && left.length > 1 && best[0]) return { keep: best[0], why };
    left = best;
  }
  return left[0] ? { keep: left[0], why: 'older' } : null;
}
