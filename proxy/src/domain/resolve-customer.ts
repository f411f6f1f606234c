import type { OrgId } from '@deskside/shared/orgid';
import { orgIdInName } from './candidates.ts';

/** What tells one helpdesk customer from another. */
export interface CustomerIdentity {
  name: string;
  orgId: OrgId | null;
  crmCompanyId: string | null;
}

/** What a look-up was for, and which company it found; no company where it found none. */
export interface Wanted {
  orgId: OrgId;
  crmCompanyId: string | null;
}

/** `same`: this very customer. `free`: nobody's yet. `other`: somebody else's, never to be written. */
export type Fit = 'same' | 'free' | 'other';

/**
 * Whose a customer is, compared with the one that is wanted (design.md, decision 11). The org id decides, also where it
 * stands in the name only (decision 5); without one, the CRM company that the customer is known to be.
 */
export function fitOf(customer: CustomerIdentity, wanted: Wanted): Fit {
  const carried = orgIdOf(customer);
  if (carried !== null) return carried === wanted.orgId ? 'same' : 'other';
  if (customer.crmCompanyId === null) return 'free';
  return customer.crmCompanyId === wanted.crmCompanyId ? 'same' : 'other';
}

/** The org id that a customer carries, in its field or else in its name. */
export function orgIdOf({ name, orgId }: Pick<CustomerIdentity, 'name' | 'orgId'>): OrgId | null {
  return orgId ?? orgIdInName(name);
}
