import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useOnline } from '../ui/use-online.ts';
import { type PanelView, panelView } from './panel-view.ts';
import { nextAskMs, profileQuery, refreshKey, refreshProfile } from './profile-query.ts';

export interface ProfileState {
  view: PanelView;
  online: boolean;
  /** The agent's own refresh is on its way. */
  refreshing: boolean;
  /** Asks again after a failure, or for the first time. */
  busy: boolean;
  /** Asks the CRM again, past every cache. */
  refresh: () => void;
  /** Asks once more in the ordinary way, instead of what is on its way. Resolves, always, with the answer on screen. */
  reload: () => Promise<unknown>;
}

/** The profile of one ticket: loads it, asks again by the rules of `nextAskMs` while the panel is open. */
export function useProfile(ticket: string, open: boolean): ProfileState {
  const client = useQueryClient();
  const online = useOnline();
  const query = useQuery({
    ...profileQuery(ticket),
    refetchInterval: ({ state }) => (open && state.data && !state.error ? nextAskMs(state.data) : false),
  });
  const refreshing = useIsMutating({ mutationKey: refreshKey(ticket) }) > 0;
  const view = panelView({ ticket, loaded: query.data, error: query.error, online });
  const reload = async () => {
    await query.refetch();
    // The query tells its observers in a task of its own, which is queued by now.
    await new Promise((shown) => setTimeout(shown));
  };

  const wasOnline = useRef(online);
  useEffect(() => {
    if (online && !wasOnline.current && query.error) void query.refetch();
    wasOnline.current = online;
  });

  const refresh = () => void refreshProfile(client, ticket);
  return { view, online, refreshing, busy: query.isFetching, refresh, reload };
}
