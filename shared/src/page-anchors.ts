import * as z from 'zod/mini';

/**
 * What the extension looks for on the helpdesk's ticket page: the header into which it puts its button, the frame with the
 * conversation and the reply, the column beside it that the panel lies over, and the field with the ticket's customer in it.
 */
export const PageAnchor = z.enum(['ticket_header', 'app_frame', 'ticket_column', 'ticket_fields']);
export type PageAnchor = z.infer<typeof PageAnchor>;

/** A CSS selector, and nothing that could be more: no rule, no markup. */
const Selector = z
  .string()
  .check(z.minLength(1), z.maxLength(200), z.regex(/^[^{}<;@\\\p{Cc}]+$/u, 'Expected a CSS selector.'));
const Selectors = z.optional(z.array(Selector).check(z.maxLength(5)));

/** Selectors for what the helpdesk's page has elsewhere now, by anchor; the first that finds something counts. */
export const PageAnchors = z.object({
  ticket_header: Selectors,
  app_frame: Selectors,
  ticket_column: Selectors,
  ticket_fields: Selectors,
});
export type PageAnchors = z.infer<typeof PageAnchors>;
