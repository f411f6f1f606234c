import * as z from 'zod/mini';
import { TrustLevel } from './status.ts';

const text = z.nullable(z.string());
/** Ends in Z. */
const instant = z.iso.datetime();

/** Path of a page of the helpdesk, on its own origin: no other host can be written this way, and no query. */
const HelpdeskPath = z.string().check(z.maxLength(1_000), z.regex(/^(?:\/[\w.!~*'()%-]+)+$/));

/** A record of the helpdesk, and where agents see it. */
const HelpdeskRecord = z.object({ name: z.string(), path: HelpdeskPath });

/** Another ticket of the same customer. Instants are ISO in UTC. */
export const CustomerTicket = z.extend(HelpdeskRecord, {
  subject: text,
  /** As the helpdesk calls it; a site may have statuses of its own. */
  status: text,
  team: text,
  /** Names of the people who have it; a user id where the helpdesk tells no name. */
  assignees: z.array(z.string()),
  created_at: z.nullable(instant),
  /** Null while it is open. */
  closed_at: z.nullable(instant),
});
export type CustomerTicket = z.infer<typeof CustomerTicket>;

/** `data` of GET /api/customer/tickets: what surrounds a ticket (docs/api.md#other-tickets). */
export const AroundTicket = z.object({
  ticket: z.string(),
  /**
   * Whose tickets these are; null if the ticket has no customer and no company that anybody vouches for. `linked`: it is
   * the ticket's own. `trust`: who vouches for the sender being of this customer; null if that cannot be said.
   */
  customer: z.nullable(z.extend(HelpdeskRecord, { linked: z.boolean(), trust: z.nullable(TrustLevel) })),
  contact: z.nullable(HelpdeskRecord),
  /** Newest first; `more_open`: there are more than these. */
  open: z.array(CustomerTicket),
  more_open: z.boolean(),
  /** The last ones that were finished. */
  closed: z.array(CustomerTicket),
  /** When the customer last wrote on any of their other tickets (docs/decisions.md 10b). */
  last_contact: z.nullable(z.object({ at: instant, ticket: HelpdeskRecord })),
});
export type AroundTicket = z.infer<typeof AroundTicket>;
