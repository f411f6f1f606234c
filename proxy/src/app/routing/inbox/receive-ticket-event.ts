import type { Inbox } from '#ports/intake/inbox.ts';
import type { Clock } from '#ports/runtime/clock.ts';

/**
 * Accepts an event about a new ticket: stores it, and has the pipeline look at the ticket soon (docs/api.md#webhooks).
 * Once this resolves the event survives `kill -9`; the same body again has no effect.
 *
 * @param digest of the body as sent
 */
export type ReceiveTicketEvent = (event: { digest: string; ticket: string }) => Promise<'accepted' | 'known'>;

export function createReceiveTicketEvent(deps: {
  inbox: Pick<Inbox, 'accept'>;
  clock: Clock;
  wake: () => void;
}): ReceiveTicketEvent {
  return async ({ digest, ticket }) => {
    const outcome = await deps.inbox.accept({ digest, ticket, at: deps.clock() });
    if (outcome === 'accepted') deps.wake();
    return outcome;
  };
}
