import type { RoutingDecisions } from '@deskside/shared/routing';
import { queryOptions } from '@tanstack/react-query';
import { query, RequestFailure } from '#profile/query/ask.ts';

/**
 * The routing decisions on a ticket, newest first, and the names in them. Requested once each time the panel is opened, and
 * again when the profile is refreshed; `keepOnly` and `forgetSeen` drop them.
 */
export function routingQuery(ticket: string) {
  return queryOptions<RoutingDecisions, RequestFailure, RoutingDecisions, readonly ['routing', string]>({
    queryKey: ['routing', ticket],
    queryFn: async ({ signal }) => {
      const routing = await query('routing.get', { ticket }, signal);
      if (routing.decisions.every((decision) => decision.ticket === ticket)) return routing;
      throw new RequestFailure({ code: 'bad_answer', requestId: null });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
