import * as z from 'zod/mini';
import { OrgId } from './orgid.ts';

const text = z.nullable(z.string());

/** Why a company is not the customer. `other` comes with a note. */
export const RejectionReasonCode = z.enum(['other_company', 'left_company', 'wrong_id', 'other']);
export type RejectionReasonCode = z.infer<typeof RejectionReasonCode>;

/** A reason of a later version reads as `other`. `note`: the agent's own words, empty if there are none. */
export const RejectionReason = z.object({ code: z.catch(RejectionReasonCode, 'other'), note: z.string() });
export type RejectionReason = z.infer<typeof RejectionReason>;

/** A company that an agent has rejected for the ticket or its sender (docs/decisions.md 13). `at`: ISO instant. */
export const RejectedCompany = z.object({
  id: z.string(),
  org_id: OrgId,
  bitrix_id: text,
  company_name: text,
  /** The agent's user id. */
  agent: z.string(),
  reason: RejectionReason,
  at: z.string(),
  /** The ticket on which it was rejected. */
  ticket: z.string(),
});
export type RejectedCompany = z.infer<typeof RejectedCompany>;
