import { QueryClient } from '@tanstack/react-query';

/**
 * The panel's cache. Nothing retries by itself beyond what `profile-query.ts` says, and a message to the background needs
 * no network, so the browser's idea of being offline does not hold it back.
 */
export function createQueryClient(): QueryClient {
  const quiet = {
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  } as const;
  return new QueryClient({ defaultOptions: { queries: quiet, mutations: { networkMode: 'always', retry: false } } });
}

/** Drops every ticket but this one, with what it still had under way (null: all). */
export function keepOnly(client: QueryClient, ticket: string | null): void {
  const left = {
    predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[1] !== ticket,
  };
  void client.cancelQueries(left, { silent: true, revert: false });
  client.removeQueries(left);
}

/** The panel was closed: what a refresh changed has been seen, and why the ticket is in its team is asked again. */
export function forgetSeen(client: QueryClient, ticket: string): void {
  client.setQueryData(['profile', ticket], (loaded: object | undefined) => loaded && { ...loaded, before: null });
  client.removeQueries({ queryKey: ['routing', ticket] });
}
