import type { FindData } from '@deskside/shared/find';
import { queryOptions } from '@tanstack/react-query';
import { query, type RequestFailure } from '#profile/query/ask.ts';

/**
 * The companies that an agent may mean by what they typed. Kept while the panel shows the ticket, so that going back to a
 * search costs nothing; `keepOnly` drops them.
 */
export function findQuery(ticket: string, words: string) {
  return queryOptions<FindData, RequestFailure, FindData, readonly ['find', string, string]>({
    queryKey: ['find', ticket, words],
    queryFn: ({ signal }) => query('find.search', { ticket, query: words }, signal),
    enabled: words !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
}
