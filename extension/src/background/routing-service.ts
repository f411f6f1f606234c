import type { RoutingResult } from '../messaging/protocol.ts';
import type { ProxyCaller } from './proxy-caller.ts';

/** One question why a ticket is in its team, by one call of one tab. */
export interface RoutingRequest {
  tabId: number;
  ticket: string;
  call: string;
}

/**
 * Explanations for tabs. Nothing is kept: the panel remembers what it shows. A request whose ticket was left, cancelled
 * or closed is given up.
 */
export function createRoutingService(call: ProxyCaller) {
  const flights = new Map<RoutingRequest, AbortController>();

  function stop(leave: (request: RoutingRequest) => boolean): void {
    for (const [request, abort] of flights) if (leave(request)) abort.abort();
  }

  return {
    /** Never throws. A request that was given up answers with the code `aborted`. */
    async get(request: RoutingRequest): Promise<RoutingResult> {
      stop(({ tabId, ticket }) => tabId === request.tabId && ticket !== request.ticket);
      const abort = new AbortController();
      flights.set(request, abort);
      try {
        const result = await call('routingDecisions', { ticket: request.ticket }, abort.signal);
        if (abort.signal.aborted) return { ok: false, error: { code: 'aborted', requestId: null } };
        return result.ok ? { ok: true, routing: result.data } : result;
      } finally {
        flights.delete(request);
      }
    },

    /** A call is not waited for any more. */
    cancel(tabId: number, id: string): void {
      stop((request) => request.tabId === tabId && request.call === id);
    },

    /** The tab shows another ticket, or none (null), or is gone. */
    leave(tabId: number, ticket: string | null): void {
      stop((request) => request.tabId === tabId && request.ticket !== ticket);
    },

    /** Another person or another address: nothing that was asked for before may be shown. */
    clear(): void {
      stop(() => true);
    },
  };
}

export type RoutingService = ReturnType<typeof createRoutingService>;
