import { onlineManager, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { VerbInput } from '#messaging/protocol.ts';
import { asOffline, failureKinds } from '#panel/status/failure.ts';
import { type Data, query, type RequestFailure, repeatMs, type TicketVerb } from './ask.ts';

/**
 * What a part of the panel asks for itself. Kept while the panel shows the ticket: `keepOnly` drops it.
 * @param key what it is kept by: the part, the ticket, and what else the answer depends on
 * @param how `recentMs`: it is shown again for so long without asking, in milliseconds; without it always. `hasFailed`: an
 *   answer of which a part may come with the next one
 */
export function usePart<V extends TicketVerb>(
  verb: V,
  key: readonly [part: string, ticket: string, ...more: (string | null)[]],
  input: VerbInput<V> & { ticket: string },
  how: { enabled?: boolean; recentMs?: number; hasFailed?: (data: Data<V>) => boolean } = {},
) {
  const part = useQuery<Data<V>, RequestFailure>({
    queryKey: key,
    queryFn: ({ signal }) => query(verb, input, signal),
    enabled: how.enabled ?? true,
    staleTime: how.recentMs ?? Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => repeatMs(state, how.hasFailed),
  });
  const online = useOnline();
  const failure = part.error && asOffline(part.error, online);
  return {
    data: failure && failureKinds[failure.code].hides ? undefined : part.data,
    failure,
    isPending: part.isPending,
    busy: part.isFetching,
    retry: () => void part.refetch(),
  };
}

const subscribe = (changed: () => void) => onlineManager.subscribe(changed);

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => onlineManager.isOnline());
}
