import * as z from 'zod/mini';
import { ErrorCode } from './status.ts';

/** The shape of every JSON response: `{success, data, message}` (docs/api.md#bodies). */
export const Envelope = z.object({ success: z.boolean(), data: z.looseObject({}), message: z.string() });

/** One unusable input: which field, and what was expected. */
export const Issue = z.object({ field: z.string(), message: z.string() });
export type Issue = z.infer<typeof Issue>;

/**
 * Two records that claim to be the same customer (decisions 4, 9 and 11: one batch, claims, which customer): what the caller
 * or the ticket named, and what contradicts it. `customer_has_other_orgid` holds org ids, `other_company_matched` CRM
 * company ids, `ticket_has_other_customer` customer names. `claim_not_confirmed` holds the customer that the ticket was not
 * linked to, because only its sender vouches for the org id; `found` is empty. `read_by_other` holds the ticket, and the
 * website account of somebody else that reads it. `write_refused` holds in `found` what the helpdesk has against a write.
 * `name_taken` holds the org id, and the customer made by hand that has the name of the new one, and may be the company.
 */
export const Conflict = z.object({
  code: z.enum([
    'customer_has_other_orgid',
    'other_company_matched',
    'ticket_has_other_customer',
    'claim_not_confirmed',
    'read_by_other',
    'write_refused',
    'name_taken',
  ]),
  asked: z.string(),
  found: z.string(),
});
export type Conflict = z.infer<typeof Conflict>;

/** The shape of an error response. `request_id` is in the request's log lines. */
export const ErrorEnvelope = z.object({
  success: z.literal(false),
  data: z.object({
    code: ErrorCode,
    request_id: z.string(),
    issues: z.optional(z.array(Issue)),
    retry_after_seconds: z.optional(z.number()),
    conflict: z.optional(Conflict),
  }),
  message: z.string(),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** Request header that names the contract revision a client speaks. Who sends none, as scripts do, gets today's. */
export const revisionHeader = 'deskside-contract';

/** The one revision that this version speaks; a proxy answers another with `other_revision`. */
export const contractRevision = 6;
