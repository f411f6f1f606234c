import type { OrgId } from '@deskside/shared/orgid';

/** `onClaim`: nobody but the sender of a ticket vouched for the org id, so the binding vouches for nobody either. */
interface CustomerBinding {
  onClaim: boolean;
}

/**
 * Which customers this service itself has given their org id: our own record, which counts where a website user could
 * have written the helpdesk's (docs/decisions.md 9). Survives `kill -9`.
 */
export interface CustomerBindings {
  /** `at` in epoch milliseconds. Repeatable: the first binding of a customer to an org id stays as it is. */
  record(customer: string, orgId: OrgId, at: number, how: CustomerBinding): Promise<void>;
  /** If there is a binding, it is no longer one on a claim. */
  confirm(customer: string, orgId: OrgId): Promise<void>;
  /** The customer is not this company after all. Repeatable. */
  remove(customer: string, orgId: OrgId): Promise<void>;
  /** The customers that were given this org id, by name. */
  customersOf(orgId: OrgId): Promise<ReadonlyMap<string, CustomerBinding>>;
}
