import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { PanelError } from '#messaging/protocol.ts';
import { asOffline, crmErrorTitle, failureKinds } from '#panel/status/failure.ts';
import type { Texts } from '#panel/texts/texts.ts';
import { isRefreshing, type LoadedProfile, profileQuery, refetchDelayMs, refreshProfile } from './profile-query.ts';
import { useOnline } from './use-part.ts';

/** Loads a ticket's profile, and requests it again according to `refetchDelayMs` while the panel is open. */
export function useProfile(ticket: string, open: boolean) {
  const client = useQueryClient();
  const lastError = useRef<PanelError>(null);
  const query = useQuery({ ...profileQuery(ticket), refetchInterval: ({ state }) => open && refetchDelayMs(state) });
  const online = useOnline();
  // Without data the library forgets a failure while it asks again; it stays on screen.
  if (query.isSuccess || query.error) lastError.current = query.error;
  const error = lastError.current;
  const refreshing = query.isFetching && isRefreshing(client, ticket);
  const state = panelState({ ticket, loaded: query.data, error, online });
  const reload = async () => {
    // What goes by the profile is asked for again with it.
    for (const part of ['routing', 'around']) void client.invalidateQueries({ queryKey: [part, ticket] });
    await query.refetch();
    // The query notifies its observers in a separate task, which is queued by now.
    await new Promise((shown) => setTimeout(shown));
  };

  return {
    state,
    online,
    refreshing,
    busy: query.isFetching,
    refresh: () => void refreshProfile(client, ticket),
    /** Requests the profile again, cancelling a running request. Always resolves, once the answer is on screen. */
    reload,
  };
}

/** What the panel shows for a ticket. A profile with a `failure` could not be updated, and is old data. */
export type PanelState =
  | { kind: 'loading' }
  | { kind: 'failure'; error: PanelError }
  | { kind: 'profile'; loaded: LoadedProfile; failure: PanelError | null };

interface PanelInput {
  ticket: string;
  loaded: LoadedProfile | undefined;
  error: PanelError | null;
  online: boolean;
}

/** Decides what to show. Data about another ticket counts as none. */
export function panelState({ ticket, loaded, error, online }: PanelInput): PanelState {
  const current = loaded?.profile.ticket.name === ticket ? loaded : undefined;
  const failure = error && asOffline(error, online);
  if (failure && (!current || failureKinds[failure.code].hides)) return { kind: 'failure', error: failure };
  if (current) return { kind: 'profile', loaded: failure ? asOld(current) : current, failure };
  return { kind: 'loading' };
}

function asOld(loaded: LoadedProfile): LoadedProfile {
  const { profile } = loaded;
  return { ...loaded, profile: { ...profile, bitrix: { ...profile.bitrix, stale: true } } };
}

/** Why the data on screen is not what a refresh asked for: the proxy or the CRM did not answer. Null: it is. */
export function refreshProblem(state: PanelState, t: Texts): string | null {
  if (state.kind === 'failure') return t.failures.code[state.error.code].title;
  if (state.kind === 'loading') return null;
  if (state.failure) return t.failures.code[state.failure.code].title;
  const { status, error } = state.loaded.profile.bitrix;
  return status === 'error' ? crmErrorTitle(error?.code, t) : null;
}
