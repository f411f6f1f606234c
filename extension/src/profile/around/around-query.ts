import type { AroundTicket } from '@deskside/shared/around';
import { queryOptions } from '@tanstack/react-query';
import { query, type RequestFailure } from '#profile/query/ask.ts';

/** Shown again without asking; the proxy remembers it for a few seconds itself. */
const recentMs = 30_000;

/**
 * What surrounds a ticket. Requested once its profile is there, and again when that is refreshed or has another customer.
 */
export function aroundQuery(ticket: string, customer: string | null) {
  return queryOptions<AroundTicket, RequestFailure, AroundTicket, readonly ['around', string, string | null]>({
    queryKey: ['around', ticket, customer],
    queryFn: ({ signal }) => query('around.get', { ticket }, signal),
    staleTime: recentMs,
  });
}
