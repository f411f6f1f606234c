import type { Input, Output } from '@deskside/shared/contract';
import type { ProxyCaller, ProxyResult } from './proxy-caller.ts';
import { createTabRequests, type TabRequest } from './tab-requests.ts';

/** Endpoints that take nothing but a ticket. */
type TicketEndpoint = 'routingDecisions' | 'aroundTicket';

/** What an endpoint says about tickets, for tabs. Not cached here: the panel keeps what it shows. */
export function createTicketReads<E extends TicketEndpoint>(call: ProxyCaller, endpoint: E) {
  const { stop, run, ...endings } = createTabRequests<TabRequest>();

  return {
    /** Never throws. An aborted request answers with the code `aborted`. */
    async get(request: TabRequest): Promise<ProxyResult<Output<E>>> {
      const { tabId, ticket, user } = request;
      stop((other) => other.tabId === tabId && other.ticket !== ticket);
      return run(request, (signal) => call<E>(endpoint, { ticket } as Input<E>, signal, user));
    },

    ...endings,
  };
}

export type TicketReads<E extends TicketEndpoint> = ReturnType<typeof createTicketReads<E>>;
