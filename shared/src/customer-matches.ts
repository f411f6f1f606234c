import * as z from 'zod/mini';
import { OrgId } from './orgid.ts';

const text = z.nullable(z.string());

/**
 * What customer and company have in common: `value` as the helpdesk has it, `of` as the CRM has it. `full`: it counts for
 * itself. `similar`: others have names that this one is a part of. `shared`: other customers or companies have it too.
 * `unproven`: a website user may have written it. `part`: one name is a part of the other.
 */
export const MatchFact = z.object({
  code: z.enum(['org_id_in_name', 'ticket_org_id', 'member_address', 'member_phone', 'same_domain', 'same_name']),
  value: z.string(),
  of: z.string(),
  weight: z.enum(['full', 'similar', 'shared', 'unproven', 'part']),
});
export type MatchFact = z.infer<typeof MatchFact>;

/** A company that a customer may be. `customer`: the helpdesk's customer that it is already. */
export const MatchCandidate = z.object({
  org_id: z.nullable(OrgId),
  crm_id: z.string(),
  name: text,
  url: text,
  customer: text,
  facts: z.array(MatchFact),
});
export type MatchCandidate = z.infer<typeof MatchCandidate>;

export const matchVerdicts = ['certain', 'likely', 'several', 'none'] as const;
export const MatchVerdict = z.enum(matchVerdicts);
export type MatchVerdict = z.infer<typeof MatchVerdict>;

/**
 * Which company a customer is that was made by hand (docs/decisions.md 42), and when that was judged (ISO 8601, UTC). The
 * one that leads comes first. `rivals`: other customers that are as likely to be it. `taken_back`: it was made this company
 * before, and somebody undid that.
 */
export const CustomerMatch = z.object({
  customer: z.string(),
  at: z.string(),
  verdict: MatchVerdict,
  candidates: z.array(MatchCandidate),
  rivals: z.optional(z.array(z.string())),
  taken_back: z.optional(z.boolean()),
});
export type CustomerMatch = z.infer<typeof CustomerMatch>;

/** Everything about customers made by hand: what was found, and what operators have accepted and not undone. */
export const CustomerMatches = z.object({
  /** Whether there is a CRM to ask. */
  has_crm: z.boolean(),
  /** The last look; null if there was none. `failed`: customers about which the CRM did not answer. */
  run: z.nullable(
    z.object({ begun_at: z.string(), is_done: z.boolean(), done: z.int(), total: z.int(), failed: z.int() }),
  ),
  matches: z.array(CustomerMatch),
  accepted: z.array(
    z.object({
      id: z.string(),
      customer: z.string(),
      org_id: OrgId,
      company_name: text,
      by: text,
      batch: text,
      at: z.string(),
    }),
  ),
});
export type CustomerMatches = z.infer<typeof CustomerMatches>;

/**
 * What became of accepting. `other_identity`: the customer is another company by now, or its name ends in another org id
 * (`other`). `company_has_customer`: the company is another customer already (`other`). `id`: of what can be undone.
 */
export const AcceptedMatch = z.object({
  customer: z.string(),
  org_id: OrgId,
  outcome: z.enum(['adopted', 'already', 'gone', 'other_identity', 'company_has_customer', 'not_in_crm', 'crm_failed']),
  id: text,
  other: text,
});
export type AcceptedMatch = z.infer<typeof AcceptedMatch>;
