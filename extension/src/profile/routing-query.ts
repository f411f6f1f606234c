import type { RoutingDecision } from '@deskside/shared/routing';
import { queryOptions } from '@tanstack/react-query';
import { send } from '../messaging/send.ts';
import { ProfileFailure } from './profile-query.ts';
import { sendFailure } from './send-failure.ts';

/**
 * The decisions on one ticket, newest first. Asked for once per opening of the panel, and again when the profile is
 * refreshed; `keepOnly` and `forgetSeen` drop them.
 */
export function routingQuery(ticket: string) {
  return queryOptions<RoutingDecision[], ProfileFailure, RoutingDecision[], readonly ['routing', string]>({
    queryKey: ['routing', ticket],
    queryFn: ({ signal }) => request(ticket, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** One message to the background, cancelled there when the signal aborts. */
async function request(ticket: string, signal: AbortSignal): Promise<RoutingDecision[]> {
  const call = crypto.randomUUID();
  const cancel = () => void send('routing.cancel', { call }).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  const result = await send('routing.get', { ticket, call })
    .catch((cause: unknown) => {
      throw new ProfileFailure({ code: sendFailure(cause), requestId: null });
    })
    .finally(() => signal.removeEventListener('abort', cancel));
  if (!result.ok) throw new ProfileFailure(result.error);
  const { routing } = result;
  // The key already keeps tickets apart; an answer about another ticket must not be shown even so (decision 13).
  const isOwn = routing.ticket === ticket && routing.decisions.every((decision) => decision.ticket === ticket);
  if (!isOwn) throw new ProfileFailure({ code: 'bad_answer', requestId: null });
  return routing.decisions;
}
