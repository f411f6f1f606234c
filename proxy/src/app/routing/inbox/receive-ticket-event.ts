import type { InsertedTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Inbox } from '#ports/intake/inbox.ts';
import type { Clock } from '#ports/runtime/clock.ts';

/**
 * Accepts an event about a new ticket: stores it, and has the pipeline look at the ticket soon (docs/api.md#webhooks).
 * Once this resolves the event survives `kill -9`; the same body again has no effect.
 *
 * @param digest of the body as sent
 * @param inserted the ticket as its insert left it; null if the body does not say
 */
export type ReceiveTicketEvent = (event: {
  digest: string;
  ticket: string;
  inserted: InsertedTicket | null;
}) => Promise<'accepted' | 'known'>;

export function createReceiveTicketEvent(deps: {
  inbox: Pick<Inbox, 'accept'>;
  clock: Clock;
  wake: () => void;
}): ReceiveTicketEvent {
  return async (event) => {
    const outcome = await deps.inbox.accept({ ...event, at: deps.clock() });
    if (outcome === 'accepted') deps.wake();
    return outcome;
  };
}
