import type { FindData } from '@deskside/shared/find';
import { queryOptions } from '@tanstack/react-query';
import { RequestFailure, sendRequest } from '#profile/query/send-request.ts';

/**
 * The companies that an agent may mean by what they typed. Kept while the panel shows the ticket, so that going back to a
 * search costs nothing; `keepOnly` drops them.
 */
export function findQuery(ticket: string, query: string) {
  return queryOptions<FindData, RequestFailure, FindData, readonly ['find', string, string]>({
    queryKey: ['find', ticket, query],
    queryFn: ({ signal }) => request(ticket, query, signal),
    enabled: query !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function request(ticket: string, query: string, signal: AbortSignal): Promise<FindData> {
  const { found } = await sendRequest('find.search', { ticket, query }, signal);
  // The query key already keeps tickets apart; this makes sure of it (docs/decisions.md 13).
  if (found.ticket !== ticket) throw new RequestFailure({ code: 'bad_answer', requestId: null });
  return found;
}
