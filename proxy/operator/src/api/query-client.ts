import { QueryCache, QueryClient } from '@tanstack/react-query';
import { CallFailed } from './call.ts';

/** Codes of failures that may be gone in a moment. */
const passing = new Set([
  ...['unreachable', 'timeout', 'internal', 'rate_limited'],
  ...['helpdesk_unavailable', 'store_unavailable'],
]);

/** The answers so far. Whichever question finds out that the session is over ends it on the page. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSignedOut(error)) forgetSession(client);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // What was there stays on screen; only what can pass is asked again at once.
        retry: (count, error) => count < 1 && error instanceof CallFailed && passing.has(error.failure.code),
        retryDelay: 1_000,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** Nobody is signed in any more: what they saw goes with them. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  client.setQueryData(['me'], null);
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof CallFailed && error.failure.code === 'unauthenticated';
}
