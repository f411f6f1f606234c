import * as z from 'zod/mini';
import { ErrorCode } from './status.ts';

/** The shape of every JSON answer: `{success, data, message}` (spec.md, "Endpoints"). */
export const Envelope = z.object({ success: z.boolean(), data: z.looseObject({}), message: z.string() });

/** One input that was not usable: which, and what would be right. */
export const Issue = z.object({ field: z.string(), message: z.string() });
export type Issue = z.infer<typeof Issue>;

/**
 * Two records that claim to be one customer (design.md, decisions 3, 10 and 11): what the caller or the ticket named,
 * and what stands against it. `customer_has_other_orgid` names org ids, `other_company_matched` CRM company ids,
 * `ticket_has_other_customer` names of customers.
 */
export const Conflict = z.object({
  code: z.enum(['customer_has_other_orgid', 'other_company_matched', 'ticket_has_other_customer']),
  asked: z.string(),
  found: z.string(),
});
export type Conflict = z.infer<typeof Conflict>;

/** `data` of an answer that is an error. `request_id` finds the log lines of the request. */
export const ErrorData = z.object({
  code: ErrorCode,
  request_id: z.string(),
  issues: z.optional(z.array(Issue)),
  retry_after_seconds: z.optional(z.number()),
  conflict: z.optional(Conflict),
});
export type ErrorData = z.infer<typeof ErrorData>;

export const ErrorEnvelope = z.object({ success: z.literal(false), data: ErrorData, message: z.string() });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** The envelope of a business outcome, its `data` checked by the given schema. */
export function envelopeOf<T extends z.ZodMiniType>(data: T) {
  return z.object({ success: z.boolean(), data, message: z.string() });
}
