import * as z from 'zod/mini';
import { TrustLevel } from './status.ts';

const text = z.nullable(z.string());

/** Path of a page of the helpdesk, on its own origin: no other host can be written this way, and no query. */
const HelpdeskPath = z.string().check(z.maxLength(1_000), z.regex(/^(?:\/[\w.!~*'()%-]+)+$/));

/** A record of the helpdesk, and where agents see it. */
const HelpdeskRecord = z.object({ name: z.string(), path: HelpdeskPath });

/** A ticket of the customer. */
export const CustomerTicket = z.extend(HelpdeskRecord, {
  subject: text,
  /** As the helpdesk calls it; a site may have statuses of its own. */
  status: text,
  is_open: z.boolean(),
  team: text,
  /** An ISO instant in UTC. */
  created_at: z.nullable(z.iso.datetime()),
});
export type CustomerTicket = z.infer<typeof CustomerTicket>;

/** `data` of GET /api/customer/tickets: what surrounds a ticket (docs/api.md#profile). */
export const AroundTicket = z.object({
  ticket: z.string(),
  /**
   * Whose tickets these are; null if the ticket has no customer and no company that anybody vouches for. `linked`: it is
   * the ticket's own. `trust`: who vouches for the sender being of this customer; null if that cannot be said.
   */
  customer: z.nullable(z.extend(HelpdeskRecord, { linked: z.boolean(), trust: z.nullable(TrustLevel) })),
  /** Others than the ticket itself, newest first: a few. */
  recent: z.array(CustomerTicket),
  /** Of all that the caller may see, the ticket itself included. `is_more`: they are the newest ones, and there are more. */
  counts: z.object({ open: z.number(), in_90_days: z.number(), all: z.number(), is_more: z.boolean() }),
});
export type AroundTicket = z.infer<typeof AroundTicket>;
