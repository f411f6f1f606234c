import { useEffect, useRef } from 'react';

/** Pauses before each attempt, in milliseconds. The first one often comes too early: a browser is online before its network is. */
const pausesMs = [0, 1000, 3000, 8000];

interface FailedQuery {
  isError: boolean;
  errorUpdatedAt: number;
  refetch(): Promise<unknown>;
}

/** Asks again for what failed while the browser was offline, once it is back. */
export function useRetryOnline(online: boolean, { isError, errorUpdatedAt, refetch }: FailedQuery): void {
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
}
