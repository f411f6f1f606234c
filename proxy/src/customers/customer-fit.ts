import type { OrgId } from '@deskside/shared/orgid';
import { orgIdInName } from '#intake/org-id.ts';

/** What distinguishes one helpdesk customer from another. */
export interface CustomerIdentity {
  name: string;
  orgId: OrgId | null;
  crmCompanyId: string | null;
}

/** What a lookup was for, and which company it found, if any. */
export interface LookupTarget {
  orgId: OrgId;
  crmCompanyId: string | null;
}

/**
 * `same`: this very customer. `free`: not claimed by any company yet. `other`: a different one, never to be written to.
 */
export type Fit = 'same' | 'free' | 'other';

/**
 * Compares a customer's identity with the target (docs/decisions.md 11). The org id decides, even if only the name
 * contains it (docs/decisions.md 5); without one, the CRM company that the customer is known to be.
 */
export function fitOf(customer: CustomerIdentity, target: LookupTarget): Fit {
  const carried = orgIdOf(customer);
  if (carried !== null) return carried === target.orgId ? 'same' : 'other';
  if (customer.crmCompanyId === null) return 'free';
  return customer.crmCompanyId === target.crmCompanyId ? 'same' : 'other';
}

/** The customer's org id: from its field, or else from its name. */
export function orgIdOf({ name, orgId }: Pick<CustomerIdentity, 'name' | 'orgId'>): OrgId | null {
  return orgId ?? orgIdInName(name);
}
