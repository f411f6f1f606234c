import * as z from 'zod/mini';
import { FieldChange } from './enrichment.ts';
import { CustomerName, Id, TicketName } from './input.ts';
import { maxRejectionNote } from './limits.ts';
import { parseOrgId } from './orgid.ts';
import { RejectionReasonCode } from './profile.ts';

const text = z.nullable(z.string());

/**
 * Input of the endpoint (docs/api.md#sync). `company_id` and `bitrix_id` are the company that the agent has on
 * screen, `expected_customer` the ticket's customer there, empty for none.
 */
export const RejectInput = z.pipe(
  z.object({
    ticket: z.pipe(Id, TicketName),
    action: z.prefault(z.enum(['reject', 'undo']), 'reject'),
    company_id: z.nullish(Id),
    bitrix_id: z.nullish(Id),
    reason: z.prefault(RejectionReasonCode, 'other'),
    note: z.nullish(z.string().check(z.maxLength(maxRejectionNote, 'Expected at most 140 characters.'))),
    expected_customer: z.nullish(z.union([z.literal(''), z.pipe(Id, CustomerName)])),
    rejection_id: z.nullish(Id),
  }),
  z.transform((input, ctx) => {
    const expect = (field: string, message: string) =>
      ctx.issues.push({ code: 'custom', path: [field], message, input });
    const orgId = parseOrgId(input.company_id);
    if (input.action === 'undo' && !input.rejection_id)
      expect('rejection_id', 'Expected the rejection_id that the rejection returned.');
    if (input.action === 'reject' && orgId === null)
      expect('company_id', 'Expected an org id: 1 to 20 digits, such as 1000069001.');
    return {
      ticket: input.ticket,
      action: input.action,
      orgId: input.action === 'undo' ? null : orgId,
      bitrixId: input.bitrix_id || null,
      reason: { code: input.reason, note: (input.note ?? '').replaceAll(/\s+/g, ' ').trim() },
      expectedCustomer: input.expected_customer ?? null,
      rejectionId: input.rejection_id || null,
    };
  }),
);

/**
 * `data` of the endpoint. `ticket.customer` is the ticket's customer afterwards. `changes` are those to the ticket's
 * other fields.
 */
export const RejectionData = z.object({
  action: z.enum(['reject', 'undo']),
  rejection_id: z.string(),
  ticket: z.object({ name: z.string(), customer: text, previous_customer: text }),
  changes: z.array(FieldChange),
  /** Why an undo put nothing back: somebody else reads the ticket by now, or it has another customer. */
  kept: z.optional(z.enum(['read_by_other', 'other_customer'])),
});
export type RejectionData = z.infer<typeof RejectionData>;
