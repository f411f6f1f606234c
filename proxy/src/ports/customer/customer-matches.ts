import type { CustomerMatch } from '@deskside/shared/operator/customers';

/** Which company each customer made by hand seems to be, for an operator to look at (docs/decisions.md 42). */
export interface CustomerMatches {
  /** Each in place of the customer's former one. */
  keep(matches: readonly CustomerMatch[]): Promise<void>;
  get(customer: string): Promise<CustomerMatch | null>;
  /** In the order of the customers' names. */
  list(): Promise<CustomerMatch[]>;
  /** Deletes those that were judged before the moment (epoch milliseconds). */
  forgetBefore(moment: number): Promise<void>;
}
