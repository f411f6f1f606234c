import type { Input, Output } from '@deskside/shared/contract';
import type { ProxyCaller, ProxyResult } from './proxy-caller.ts';

/** A request for something about a ticket by one call from one tab. `user`: whom its page shows. */
interface TicketRequest {
  tabId: number;
  user: string;
  ticket: string;
  call: string;
}

/** Endpoints that take nothing but a ticket. */
type TicketEndpoint = 'routingDecisions' | 'aroundTicket';

/**
 * What an endpoint says about tickets, for tabs. Not cached here: the panel keeps what it shows. A request is aborted when
 * it is cancelled, or when its tab is closed or shows another ticket.
 */
export function createTicketReads<E extends TicketEndpoint>(call: ProxyCaller, endpoint: E) {
  const flights = new Map<TicketRequest, AbortController>();

  function stop(leave: (request: TicketRequest) => boolean): void {
    for (const [request, abort] of flights) if (leave(request)) abort.abort();
  }

  return {
    /** Never throws. An aborted request answers with the code `aborted`. */
    async get(request: TicketRequest): Promise<ProxyResult<Output<E>>> {
      stop(({ tabId, ticket }) => tabId === request.tabId && ticket !== request.ticket);
      const abort = new AbortController();
      flights.set(request, abort);
      try {
        const result = await call<E>(endpoint, { ticket: request.ticket } as Input<E>, abort.signal, request.user);
        return abort.signal.aborted ? { ok: false, error: { code: 'aborted', requestId: null } } : result;
      } finally {
        flights.delete(request);
      }
    },

    /** Cancels one call. */
    cancel(tabId: number, id: string): void {
      stop((request) => request.tabId === tabId && request.call === id);
    },

    /** The tab now shows this ticket, or none (null), or was closed. */
    leave(tabId: number, ticket: string | null): void {
      stop((request) => request.tabId === tabId && request.ticket !== ticket);
    },

    /** Another person signed in or an address changed: no earlier answer may be shown. */
    clear(): void {
      stop(() => true);
    },
  };
}

export type TicketReads<E extends TicketEndpoint> = ReturnType<typeof createTicketReads<E>>;
