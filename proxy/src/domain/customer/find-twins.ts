import { parseOrgId } from '@deskside/shared/orgid';

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

/** A name without the org id that it may carry, accents, case and punctuation. */
function plainName(name: string): string {
  const withoutId = name.replace(/ - (\d+)$/, idOnly).replace(/^(\d+) - /, idOnly);
  return withoutId
    .toLowerCase()
    .replaceAll('đ', 'd')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Takes away what is an org id (docs/decisions.md 5), and leaves other digits. */
function idOnly(part: string, digits: string): string {
  return parseOrgId(digits) === null ? part : '';
}

/** A domain without scheme, `www.`, port and path. */
function plainDomain(domain: string): string {
  return domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*$/, '')
    .replace(/^www\./, '')
    .replace(/\.$/, '');
}
