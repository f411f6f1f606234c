import type { FindResult } from '#messaging/protocol.ts';
import type { ProxyCaller } from './proxy-caller.ts';

/** A search for the company of a ticket by one call from one tab. `user`: whom its page shows. */
interface FindRequest {
  tabId: number;
  user: string;
  ticket: string;
  query: string;
  call: string;
}

/**
 * Searches for companies, for tabs. Nothing is kept here. A search is aborted when it is cancelled, when its tab starts
 * another one, or when the tab is closed or shows another ticket.
 */
export function createFindService(call: ProxyCaller) {
  const flights = new Map<FindRequest, AbortController>();

  function stop(which: (request: FindRequest) => boolean): void {
    for (const [request, abort] of flights) if (which(request)) abort.abort();
  }

  return {
    /** Never throws. An aborted search answers with the code `aborted`. */
    async search(request: FindRequest): Promise<FindResult> {
      stop(({ tabId }) => tabId === request.tabId);
      const abort = new AbortController();
      flights.set(request, abort);
      const { ticket, query, user } = request;
      try {
        const result = await call('findCompanies', { ticket, query }, abort.signal, user);
        if (abort.signal.aborted) return { ok: false, error: { code: 'aborted', requestId: null } };
        return result.ok ? { ok: true, found: result.data } : result;
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

export type FindService = ReturnType<typeof createFindService>;
