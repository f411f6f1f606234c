import type { RoutingResult } from '#messaging/protocol.ts';
import type { ProxyCaller } from './proxy-caller.ts';

/** A request for a ticket's routing decisions by one call from one tab. `user`: whom its page shows. */
interface RoutingRequest {
  tabId: number;
  user: string;
  ticket: string;
  call: string;
}

/**
 * Routing decisions for tabs. Not cached here: the panel keeps what it shows. A request is aborted when it is cancelled,
 * or when its tab is closed or shows another ticket.
 */
export function createRoutingService(call: ProxyCaller) {
  const flights = new Map<RoutingRequest, AbortController>();

  function stop(leave: (request: RoutingRequest) => boolean): void {
    for (const [request, abort] of flights) if (leave(request)) abort.abort();
  }

  return {
    /** Never throws. An aborted request answers with the code `aborted`. */
    async get(request: RoutingRequest): Promise<RoutingResult> {
      stop(({ tabId, ticket }) => tabId === request.tabId && ticket !== request.ticket);
      const abort = new AbortController();
      flights.set(request, abort);
      try {
        const result = await call('routingDecisions', { ticket: request.ticket }, abort.signal, request.user);
        if (abort.signal.aborted) return { ok: false, error: { code: 'aborted', requestId: null } };
        return result.ok ? { ok: true, routing: result.data } : result;
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

export type RoutingService = ReturnType<typeof createRoutingService>;
