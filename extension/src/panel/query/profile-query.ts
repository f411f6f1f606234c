import type { ProfileData } from '@deskside/shared/profile';
import { onlineManager, type Query, QueryClient, type QueryState, queryOptions } from '@tanstack/react-query';
import { frontMs } from '#messaging/again.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { query, type RequestFailure, repeatMs } from './ask.ts';

/** A ticket's profile, and what decides whether to request it again. */
export interface LoadedProfile {
  profile: ProfileData;
  /** How many requests in a row were made for pending parts. */
  followUps: number;
  /** As the agent saw it the last time, or without what the CRM says, until the answer is there. */
  isMeanwhile?: true;
}

/** The first request may reuse what the launcher's status has fetched lately. */
const recentMs = 60_000;
const followUpMs = 400;
const maxFollowUps = 3;

/** The query for a ticket's profile. Its key contains the ticket, so an answer cannot end up with another one. */
export function profileQuery(ticket: string) {
  return queryOptions<LoadedProfile, RequestFailure, LoadedProfile, readonly ['profile', string]>({
    queryKey: ['profile', ticket],
    queryFn: ({ client, signal }) => ask(client, ticket, false, signal),
    staleTime: recentMs,
  });
}

const refreshing = new WeakMap<QueryClient, string>();

export function isRefreshing(client: QueryClient, ticket: string): boolean {
  return refreshing.get(client) === ticket;
}

/**
 * Forces a CRM check for the agent, keeping the ticket's data on screen meanwhile. Only one runs at a time: a second call
 * meanwhile does nothing. A failure ends up in the query's state.
 */
export async function refreshProfile(client: QueryClient, ticket: string): Promise<void> {
  if (isRefreshing(client, ticket)) return;
  refreshing.set(client, ticket);
  const { queryKey } = profileQuery(ticket);
  const force = () => client.fetchQuery({ queryKey, queryFn: ({ signal }) => ask(client, ticket, true, signal) });
  for (const part of ['routing', 'around']) void client.invalidateQueries({ queryKey: [part, ticket] });
  // Started synchronously if nothing is being fetched, so that a panel mounted now joins it instead of asking twice.
  const answer = client.isFetching({ queryKey }) ? client.cancelQueries({ queryKey }).then(force) : force();
  await answer.catch(() => {});
  if (isRefreshing(client, ticket)) refreshing.delete(client);
}

/** When to request the profile again by itself, in milliseconds, or false: while parts are pending, and after what may pass. */
export function refetchDelayMs(state: QueryState<LoadedProfile, PanelError>): number | false {
  const isPending = state.error === null && (state.data?.profile.pending ?? []).length > 0;
  return isPending ? followUpMs : repeatMs(state, hasFailed);
}

const hasFailed = ({ profile }: LoadedProfile) => profile.bitrix.status === 'error';

/** Whether a page that comes to the front asks again: after a failure, and for a profile that is not of this moment. */
export function isDueInFront({ queryKey: [part], state }: Query<unknown, Error>): boolean {
  if (state.fetchStatus !== 'idle') return false;
  if (part !== 'profile') return state.error !== null || state.isInvalidated;
  const loaded = state.data as LoadedProfile | undefined;
  const isOld = state.isInvalidated || Date.now() - state.dataUpdatedAt >= frontMs;
  return state.error !== null || isOld || (loaded !== undefined && hasFailed(loaded));
}

async function ask(client: QueryClient, ticket: string, refresh: boolean, signal: AbortSignal): Promise<LoadedProfile> {
  const previous = client.getQueryData(profileQuery(ticket).queryKey);
  const last = previous ? null : fillWithLast(client, ticket, signal);
  void last?.then((isThere) => (isThere ? undefined : fillWithKnown(client, ticket, signal)));
  const maxAgeMs = refresh ? 0 : previous ? frontMs : recentMs;
  const profile = await query('profile.get', { ticket, refresh, maxAgeMs }, signal).catch(async (failure: unknown) => {
    // What was known before stays beside the failure.
    await last;
    throw failure;
  });
  const isFollowUp = !refresh && previous !== undefined && previous.profile.pending.length > 0;
  const followUps = isFollowUp ? previous.followUps + 1 : 0;
  return {
    // What is still missing now is shown as unknown, not as loading.
    profile: followUps < maxFollowUps ? profile : { ...profile, pending: [] },
    followUps,
  };
}

/** How long an answer may take before what is known without the CRM is put on screen, in milliseconds. */
const slowMs = 600;

/** Puts what the agent saw of this ticket the last time on screen, unless the answer is faster. False: nothing is kept. */
async function fillWithLast(client: QueryClient, ticket: string, signal: AbortSignal): Promise<boolean> {
  const last = await send('profile.last', { ticket });
  // A failure may have passed since.
  if (last?.profile.ticket.name !== ticket || last.profile.bitrix.status === 'error') return false;
  fill(client, last.profile, last.receivedAt, signal);
  return true;
}

/** Puts what is known of the ticket without the CRM on screen, where that is slow. */
async function fillWithKnown(client: QueryClient, ticket: string, signal: AbortSignal): Promise<void> {
  await new Promise((waited) => setTimeout(waited, slowMs));
  if (!isWaitedFor(client, ticket, signal)) return;
  const known = await query('profile.known', { ticket }, signal).catch(() => null);
  if (known?.pending.includes('crm')) fill(client, known, Date.now(), signal);
}

function fill(client: QueryClient, profile: ProfileData, updatedAt: number, signal: AbortSignal): void {
  const { name } = profile.ticket;
  if (!isWaitedFor(client, name, signal)) return;
  const shown: LoadedProfile = { profile, followUps: 0, isMeanwhile: true };
  client.setQueryData(profileQuery(name).queryKey, shown, { updatedAt });
}

function isWaitedFor(client: QueryClient, ticket: string, signal: AbortSignal): boolean {
  const state = client.getQueryState(profileQuery(ticket).queryKey);
  return !signal.aborted && state?.fetchStatus === 'fetching' && state.data === undefined;
}

/**
 * The panel's cache. Nothing is asked again except as `refetchDelayMs` says, and what has failed once the network is back.
 * Messages to the background need no network, so they are sent even if the browser says that it is offline. Nothing expires by itself: `keepOnly` drops
 * what has left the screen, and the library's own timer would hold a request that was cancelled on the way out, with the
 * customer in it, for five more minutes.
 */
export function createQueryClient(): QueryClient {
  const quiet = {
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }: Query) => state.status === 'error' && 'always',
    gcTime: Number.POSITIVE_INFINITY,
  } as const;
  // The library takes a browser to be online until it hears otherwise.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({ defaultOptions: { queries: quiet } });
}

/** Drops all tickets but this one and cancels their requests (null: all tickets). */
export function keepOnly(client: QueryClient, ticket: string | null): void {
  const left = { predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[1] !== ticket };
  void client.cancelQueries(left, { silent: true, revert: false });
  client.removeQueries(left);
}
