import * as z from 'zod/mini';

const text = z.nullable(z.string());

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
