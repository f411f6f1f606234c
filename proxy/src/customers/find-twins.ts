import { plainDomain, plainName } from './plain-name.ts';

/** What of a customer may give it away as another's twin. Empty: unknown. */
export interface TwinCandidate {
  name: string;
  domain: string;
  orgId: string;
  crmId: string;
}

const marks = {
  org_id: ({ orgId }: TwinCandidate) => orgId,
  crm_id: ({ crmId }: TwinCandidate) => crmId,
  name: ({ name }: TwinCandidate) => plainName(name),
  domain: ({ domain }: TwinCandidate) => plainDomain(domain),
};

/** What customers share, themselves among them. */
export interface Shared<Customer> {
  what: keyof typeof marks;
  customers: readonly Customer[];
}

/**
 * Customers that look like one company, and by what: the same org id, the same id in the CRM, or the same name or domain
 * where at least one of them has no org id. Two shops of one name with an org id each are two shops.
 */
export function findTwins<Customer extends TwinCandidate>(
  customers: readonly Customer[],
): Map<Customer, Shared<Customer>[]> {
  const found = new Map<Customer, Shared<Customer>[]>();
  for (const what of ['org_id', 'crm_id', 'name', 'domain'] as const) {
    for (const [value, same] of Map.groupBy(customers, marks[what])) {
      if (value === '' || same.length < 2) continue;
      if ((what === 'name' || what === 'domain') && same.every(({ orgId }) => orgId !== '')) continue;
      for (const one of same) found.set(one, [...(found.get(one) ?? []), { what, customers: same }]);
    }
  }
  return found;
}
