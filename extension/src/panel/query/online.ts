import { useEffect, useRef, useSyncExternalStore } from 'react';

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
