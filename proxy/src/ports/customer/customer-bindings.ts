import type { OrgId } from '@deskside/shared/orgid';

/**
 * Which customers this service itself has given their org id: our own record, which counts where a website user could
 * have written the helpdesk's (docs/decisions.md 9). Survives `kill -9`.
 */
export interface CustomerBindings {
  /** Repeatable. `at` in epoch milliseconds. */
  record(customer: string, orgId: OrgId, at: number): Promise<void>;
  /** The customer is not this company after all. Repeatable. */
  remove(customer: string, orgId: OrgId): Promise<void>;
  /** Names of the customers that were given this org id. */
  customersOf(orgId: OrgId): Promise<Set<string>>;
}
