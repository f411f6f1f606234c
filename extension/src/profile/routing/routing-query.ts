import type { RoutingDecisions } from '@deskside/shared/routing';
import { queryOptions } from '@tanstack/react-query';
import { RequestFailure, sendRequest } from '#profile/query/send-request.ts';

/**
 * The routing decisions on a ticket, newest first, and the names in them. Requested once each time the panel is opened, and again when the
 * profile is refreshed; `keepOnly` and `forgetSeen` drop them.
 */
export function routingQuery(ticket: string) {
  return queryOptions<RoutingDecisions, RequestFailure, RoutingDecisions, readonly ['routing', string]>({
    queryKey: ['routing', ticket],
    queryFn: ({ signal }) => request(ticket, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function request(ticket: string, signal: AbortSignal): Promise<RoutingDecisions> {
  const { routing } = await sendRequest('routing.get', { ticket }, signal);
  // The query key already keeps tickets apart; this makes sure of it (docs/decisions.md 13).
  const isOwn = routing.ticket === ticket && routing.decisions.every((decision) => decision.ticket === ticket);
  if (!isOwn) throw new RequestFailure({ code: 'bad_answer', requestId: null });
  return routing;
}
