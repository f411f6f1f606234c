import * as z from 'zod/mini';
import { FieldChange } from './enrichment.ts';
import { CustomerName, Id, refuse, TicketName } from './input.ts';
import { maxRejectionNote } from './limits.ts';
import { orgIdExpected, parseOrgId } from './orgid.ts';
import { RejectionReasonCode } from './profile.ts';

const text = z.nullable(z.string());
const RejectionAction = z.enum(['reject', 'undo']);

/**
 * Input of the endpoint (docs/api.md#sync). `company_id` and `bitrix_id` are the company that the agent has on
 * screen, `expected_customer` the ticket's customer there, empty for none.
 */
export const RejectInput = z.pipe(
  z.object({
    ticket: z.pipe(Id, TicketName),
    action: z.prefault(RejectionAction, 'reject'),
    company_id: z.nullish(Id),
    bitrix_id: z.nullish(Id),
    reason: z.prefault(RejectionReasonCode, 'other'),
    note: z.nullish(z.string().check(z.maxLength(maxRejectionNote, 'Expected at most 140 characters.'))),
    expected_customer: z.nullish(z.union([z.literal(''), z.pipe(Id, CustomerName)])),
    rejection_id: z.nullish(Id),
  }),
  z.transform((input, ctx) => {
    const orgId = parseOrgId(input.company_id);
    if (input.action === 'undo' && !input.rejection_id)
      refuse(ctx, input, 'rejection_id', 'Expected the rejection_id that the rejection returned.');
    if (input.action === 'reject' && orgId === null) refuse(ctx, input, 'company_id', orgIdExpected);
    return {
      ticket: input.ticket,
      action: input.action,
      company_id: input.action === 'undo' ? null : orgId,
      bitrix_id: input.bitrix_id || null,
      reason: input.reason,
      note: (input.note ?? '').replaceAll(/\s+/g, ' ').trim(),
      expected_customer: input.expected_customer ?? null,
      rejection_id: input.rejection_id || null,
    };
  }),
);

/**
 * `data` of the endpoint. `ticket.customer` is the ticket's customer afterwards. `changes` are those to the ticket's
 * other fields.
 */
export const RejectionData = z.object({
  action: RejectionAction,
  rejection_id: z.string(),
  ticket: z.object({ name: z.string(), customer: text, previous_customer: text }),
  changes: z.array(FieldChange),
  /** Why an undo put nothing back: somebody else reads the ticket by now, it has another customer, or nobody vouches for its sender. */
  kept: z.optional(z.enum(['read_by_other', 'other_customer', 'sender_not_verified'])),
});
export type RejectionData = z.infer<typeof RejectionData>;
