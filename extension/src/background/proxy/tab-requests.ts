import type { ProxyResult } from './proxy-caller.ts';

/** A request about a ticket by one call from one tab. `user`: whom its page shows. */
export interface TabRequest {
  tabId: number;
  user: string;
  ticket: string;
  call: string;
}

/** The requests that tabs wait for. One is aborted when its tab cancels it, is closed or shows another ticket. */
export function createTabRequests<R extends TabRequest>() {
  const flights = new Map<R, AbortController>();

  function stop(which: (request: R) => boolean): void {
    for (const [request, abort] of flights) if (which(request)) abort.abort();
  }

  return {
    stop,

    /** Never throws if `send` does not. An aborted request answers with the code `aborted`. */
    async run<T>(request: R, send: (signal: AbortSignal) => Promise<ProxyResult<T>>): Promise<ProxyResult<T>> {
      const abort = new AbortController();
      flights.set(request, abort);
      try {
        const result = await send(abort.signal);
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
