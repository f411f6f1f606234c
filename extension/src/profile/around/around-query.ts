import type { AroundTicket } from '@deskside/shared/around';
import { queryOptions } from '@tanstack/react-query';
import { RequestFailure, sendRequest } from '#profile/query/send-request.ts';

/** Shown again without asking; the proxy remembers it for a few seconds itself. */
const recentMs = 30_000;

/**
 * What surrounds a ticket. Requested once its profile is there, and again when that is refreshed or has another customer.
 */
export function aroundQuery(ticket: string, customer: string | null) {
  return queryOptions<AroundTicket, RequestFailure, AroundTicket, readonly ['around', string, string | null]>({
    queryKey: ['around', ticket, customer],
    queryFn: ({ signal }) => request(ticket, signal),
    staleTime: recentMs,
  });
}

async function request(ticket: string, signal: AbortSignal): Promise<AroundTicket> {
  const { around } = await sendRequest('around.get', { ticket }, signal);
  // The query key already keeps tickets apart; this makes sure of it (docs/decisions.md 13).
  if (around.ticket !== ticket) throw new RequestFailure({ code: 'bad_answer', requestId: null });
  return around;
}
