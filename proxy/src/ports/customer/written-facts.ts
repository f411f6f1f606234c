import type { CustomerFacts } from '#ports/helpdesk/helpdesk-records.ts';

/** Facts of which it matters whether a person has corrected them since. */
export type MendableFacts = Pick<
  CustomerFacts,
  'myplatform' | 'crmCompanyUrl' | 'matchConfidence' | 'segment' | 'shopPlan'
>;

/**
 * What this service itself last wrote to each customer, so that a value that a person has corrected can be told from one
 * that is merely out of date (docs/decisions.md 15). Survives `kill -9`.
 */
export interface WrittenFacts {
  /** Empty if nothing was ever written. */
  of(customer: string): Promise<MendableFacts>;
  /** Replaces these facts and keeps the others. One writer at a time per customer. `at` in epoch milliseconds. */
  record(customer: string, facts: MendableFacts, at: number): Promise<void>;
}
