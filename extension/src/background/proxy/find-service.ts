import type { FindResult } from '#messaging/protocol.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import { createTabRequests, type TabRequest } from './tab-requests.ts';

/** A search for the company of a ticket. */
interface FindRequest extends TabRequest {
  query: string;
}

/** Searches for companies, for tabs. Nothing is kept here. A search also ends when its tab starts another one. */
export function createFindService(call: ProxyCaller) {
  const { stop, run, ...endings } = createTabRequests<FindRequest>();

  return {
    /** Never throws. An aborted search answers with the code `aborted`. */
    async search(request: FindRequest): Promise<FindResult> {
      stop(({ tabId }) => tabId === request.tabId);
      const { ticket, query, user } = request;
      const result = await run(request, (signal) => call('findCompanies', { ticket, query }, signal, user));
      return result.ok ? { ok: true, found: result.data } : result;
    },

    ...endings,
  };
}

export type FindService = ReturnType<typeof createFindService>;
