import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { PanelError } from '#messaging/protocol.ts';
import { useOnline } from '#ui/hooks/use-online.ts';
import { panelState } from './panel-state.ts';
import { isRefreshing, profileQuery, refetchDelayMs, refreshProfile, retryDelayMs } from './profile-query.ts';
import { useRetryOnline } from './use-retry-online.ts';

/** Loads a ticket's profile, and requests it again according to `refetchDelayMs` while the panel is open. */
export function useProfile(ticket: string, open: boolean) {
  const client = useQueryClient();
  const online = useOnline();
  /** The failures in a row: how many there were before the last success, and the last one. */
  const failed = useRef<{ before: number; last: PanelError | null }>({ before: 0, last: null });
  const retryAfter = (error: PanelError, count: number) => retryDelayMs(error, count - failed.current.before);
  const query = useQuery({
    ...profileQuery(ticket),
    refetchInterval: ({ state: { data, error, errorUpdateCount } }) => {
      if (!open) return false;
      return error ? retryAfter(error, errorUpdateCount) : data ? refetchDelayMs(data) : false;
    },
  });
  if (query.isSuccess) failed.current = { before: query.errorUpdateCount, last: null };
  if (query.error) failed.current.last = query.error;
  // Without data the library forgets a failure while it asks again; it stays on screen.
  const error = query.error ?? failed.current.last;
  const refreshing = query.isFetching && isRefreshing(client, ticket);
  const state = panelState({ ticket, loaded: query.data, error, online });
  const retryMs = error ? retryAfter(error, query.errorUpdateCount) : false;
  const reload = async () => {
    await query.refetch();
    // The query notifies its observers in a separate task, which is queued by now.
    await new Promise((shown) => setTimeout(shown));
  };

  useRetryOnline(online, query);

  return {
    state,
    online,
    /** The agent's refresh is running. */
    refreshing,
    /** Any request is running. */
    busy: query.isFetching,
    /** The pause after which a failed request is made again by itself, in milliseconds; false: it is not. */
    retryMs,
    /** Asks the CRM, bypassing all caches. */
    refresh: () => void refreshProfile(client, ticket),
    /** Requests the profile again, cancelling a running request. Always resolves, once the answer is on screen. */
    reload,
  };
}
