import { QueryClient } from '@tanstack/react-query';

/**
 * The panel's cache. Nothing is retried except as `profile-query.ts` says. Messages to the background need no network, so
 * they are sent even if the browser says that it is offline. Nothing expires by itself either: `keepOnly` drops
 * what has left the screen, and the library's own timer would hold a request that was cancelled on the way out, with
 * the customer in it, for five more minutes.
 */
export function createQueryClient(): QueryClient {
  const quiet = {
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: Number.POSITIVE_INFINITY,
  } as const;
  return new QueryClient({ defaultOptions: { queries: quiet } });
}

/** Drops all tickets but this one and cancels their requests (null: all tickets). */
export function keepOnly(client: QueryClient, ticket: string | null): void {
  const left = {
    predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[1] !== ticket,
  };
  void client.cancelQueries(left, { silent: true, revert: false });
  client.removeQueries(left);
}
