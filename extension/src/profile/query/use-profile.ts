import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useOnline } from '#ui/hooks/use-online.ts';
import { type PanelState, panelState } from './panel-state.ts';
import { profileQuery, refetchDelayMs, refreshKey, refreshProfile } from './profile-query.ts';
import { useRetryOnline } from './use-retry-online.ts';

interface ProfileState {
  state: PanelState;
  online: boolean;
  /** The agent's refresh is running. */
  refreshing: boolean;
  /** Any request is running. */
  busy: boolean;
  /** Asks the CRM, bypassing all caches. */
  refresh: () => void;
  /** Requests the profile again, cancelling a running request. Always resolves, once the answer is on screen. */
  reload: () => Promise<unknown>;
}

/** Loads a ticket's profile, and requests it again according to `refetchDelayMs` while the panel is open. */
export function useProfile(ticket: string, open: boolean): ProfileState {
  const client = useQueryClient();
  const online = useOnline();
  const query = useQuery({
    ...profileQuery(ticket),
    refetchInterval: ({ state }) => (open && state.data && !state.error ? refetchDelayMs(state.data) : false),
  });
  const refreshing = useIsMutating({ mutationKey: refreshKey(ticket) }) > 0;
  const state = panelState({ ticket, loaded: query.data, error: query.error, online });
  const reload = async () => {
    await query.refetch();
    // The query notifies its observers in a separate task, which is queued by now.
    await new Promise((shown) => setTimeout(shown));
  };

  useRetryOnline(online, query);

  const refresh = () => void refreshProfile(client, ticket);
  return { state, online, refreshing, busy: query.isFetching, refresh, reload };
}
