import * as z from 'zod/mini';
import { OrgId } from '../orgid.ts';

const text = z.nullable(z.string());
const instant = z.string();

/** A customer whose plan ends soon, with its open tickets: how many, and the newest of them. */
export const ExpiringCustomer = z.object({
  customer: z.string(),
  org_id: OrgId,
  company: text,
  plan: text,
  ends_at: instant,
  /** Whole days, rounded down (docs/data.md#the-crm-company). */
  days_left: z.int(),
  /** When the CRM last said so. */
  checked_at: instant,
  tickets: z.int(),
  newest: z.array(z.string()),
});
export type ExpiringCustomer = z.infer<typeof ExpiringCustomer>;

/** Customers with open tickets whose plan ends within 30 days, the first to end first. The CRM is not asked for this. */
export const OperatorExpiring = z.object({
  /** When the helpdesk was asked for its open tickets. */
  as_of: instant,
  /** Open tickets of customers with an org id that were looked at; `is_cut`: there are older ones. */
  tickets: z.int(),
  is_cut: z.boolean(),
  /** Customers of which the CRM has not said yet when their plan ends. */
  unknown: z.int(),
  /** The oldest word of the CRM that this rests on; null if it rests on none. */
  oldest_check: z.nullable(instant),
  customers: z.array(ExpiringCustomer),
});
export type OperatorExpiring = z.infer<typeof OperatorExpiring>;
