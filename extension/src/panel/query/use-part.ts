import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { pauseMs } from '#messaging/again.ts';
import type { VerbInput } from '#messaging/protocol.ts';
import { asOffline, failureKinds } from '#panel/status/failure.ts';
import { type Data, query, type RequestFailure, type TicketVerb } from './ask.ts';

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
    refetchInterval: ({ state: { data, error, errorUpdateCount, dataUpdateCount } }) => {
      if (error) return failureKinds[error.code].passes ? pauseMs(errorUpdateCount) : false;
      return data && how.hasFailed?.(data) ? pauseMs(dataUpdateCount) : false;
    },
  });
  const online = useOnline(part);
  const failure = part.error && asOffline(part.error, online);
  return {
    data: failure && failureKinds[failure.code].hides ? undefined : part.data,
    failure,
    /** Nothing is there yet. */
    isPending: part.isPending,
    busy: part.isFetching,
    retry: () => void part.refetch(),
  };
}

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Pauses before each attempt, in milliseconds. The first one often comes too early: a browser is online before its network is. */
const pausesMs = [0, 1000, 3000, 8000];

interface FailedQuery {
  isError: boolean;
  errorUpdatedAt: number;
  refetch(): Promise<unknown>;
}

/** Whether the browser has a network, as far as it knows. What failed without one is asked for again once it is back. */
export function useOnline({ isError, errorUpdatedAt, refetch }: FailedQuery): boolean {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const next = useRef(pausesMs.length);
  const failedAt = isError ? errorUpdatedAt : 0;
  useEffect(() => {
    if (!online) next.current = 0;
    const pause = pausesMs[next.current];
    if (!online || !failedAt || pause === undefined) return;
    next.current += 1;
    const attempt = setTimeout(refetch, pause);
    return () => clearTimeout(attempt);
  }, [online, failedAt, refetch]);
  return online;
}
