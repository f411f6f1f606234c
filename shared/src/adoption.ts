import * as z from 'zod/mini';

const text = z.nullable(z.string());

/**
 * What says that a customer made by hand is a company (docs/decisions.md 11), all of it beyond what website users can
 * write; `value` quotes it. `ticket_org_id`: the org id of the customer's tickets, likely or confirmed.
 */
const FactFor = z.object({
  code: z.enum([
    'same_name',
    'same_domain',
    'member_address',
    'member_phone',
    'sole_member',
    'org_id_in_name',
    'ticket_org_id',
  ]),
  value: z.string(),
});

/**
 * What says that it is not. `other_company`, `member_elsewhere`: the customer or one of its members was likely or confirmed
 * for another company; `written_by_other`: a website user whom the company does not have may have written the customer;
 * `taken_back`: it was made this company before, and somebody undid that.
 */
const FactAgainst = z.object({
  code: z.enum(['other_company', 'member_elsewhere', 'written_by_other', 'taken_back']),
  value: z.string(),
});

export const AdoptionEvidence = z.object({ for: z.array(FactFor), against: z.array(FactAgainst) });
export type AdoptionEvidence = z.infer<typeof AdoptionEvidence>;

/** How a customer made by hand became a company: by a ticket of the company's own address, a Sync, the enrichment endpoint, `customers match`. */
export const AdoptedVia = z.enum(['pipeline', 'sync', 'enrichment', 'match']);
export type AdoptedVia = z.infer<typeof AdoptedVia>;

/** A ticket's customer that somebody made by hand and that may be the company on screen: for an agent to say. */
export const OfferedAdoption = z.object({ customer: z.string() });
export type OfferedAdoption = z.infer<typeof OfferedAdoption>;

/**
 * One that became the company. `id`: to undo it, as `sync_id` of a Sync's undo. `by`: the user whose word it was;
 * null: Deskside itself, because the company's own address raised the ticket. `at` is an ISO instant.
 */
export const AdoptedCustomer = z.extend(OfferedAdoption, { id: z.string(), by: text, via: AdoptedVia, at: z.string() });
export type AdoptedCustomer = z.infer<typeof AdoptedCustomer>;
