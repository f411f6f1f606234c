import type { ProfileData } from '@deskside/shared/profile';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { PanelError } from '../messaging/protocol.ts';
import { send } from '../messaging/send.ts';
import { passesByItself } from './crm-message.ts';
import { sendFailure } from './send-failure.ts';

/** An answer for a ticket, and what decides whether to ask again. */
export interface Loaded {
  profile: ProfileData;
  /** The profile before the refresh that the agent asked for, to mark what changed; null without one. */
  before: ProfileData | null;
  /** How often we have asked again, in a row, for parts that the helpdesk was still being asked for. */
  followUps: number;
  /** How often in a row the CRM has failed. */
  crmFailures: number;
}

/** Why there is no answer; never thrown for a look-up that merely found nothing. */
export class ProfileFailure extends Error implements PanelError {
  override readonly name = 'ProfileFailure';
  readonly code: PanelError['code'];
  readonly requestId: string | null;

  constructor({ code, requestId }: PanelError) {
    super(code);
    this.code = code;
    this.requestId = requestId;
  }
}

/** A first look may be served with what the launcher's status has just fetched; anything later has to be fresh. */
const recentMs = 60_000;
const followUpMs = 400;
const mostFollowUps = 3;

/** The query of one ticket's profile. The key holds the ticket, so no answer can land on another one. */
export function profileQuery(ticket: string) {
  return queryOptions<Loaded, ProfileFailure, Loaded, readonly ['profile', string]>({
    queryKey: ['profile', ticket],
    queryFn: ({ client, signal }) => ask(client, ticket, false, signal),
    staleTime: recentMs,
  });
}

/**
 * Asks the CRM again at the agent's wish, keeping this ticket's data on screen meanwhile. One at a time: a second call
 * while one is on its way changes nothing. Failures are left in the query's state.
 */
export async function refreshProfile(client: QueryClient, ticket: string): Promise<void> {
  const mutationKey = refreshKey(ticket);
  if (client.isMutating({ mutationKey }) > 0) return;
  const { queryKey } = profileQuery(ticket);
  const force = () =>
    client.fetchQuery<Loaded, ProfileFailure, Loaded, readonly ['profile', string]>({
      queryKey,
      queryFn: ({ signal }) => ask(client, ticket, true, signal),
    });
  void client.invalidateQueries({ queryKey: ['routing', ticket] });
  // Started at once where nothing is on its way, so that a panel that mounts now joins it instead of asking twice.
  const answer = client.isFetching({ queryKey }) ? client.cancelQueries({ queryKey }).then(force) : force();
  const mutation = client.getMutationCache().build(client, { mutationKey, mutationFn: () => answer });
  await mutation.execute(undefined).catch(() => {});
}

/** Names the refresh of a ticket among the client's mutations. */
export function refreshKey(ticket: string) {
  return ['refresh', ticket] as const;
}

/**
 * When to ask again without being told to, in milliseconds, or false: soon while the helpdesk is still being asked for
 * parts, after 15 s and then every 60 s while the CRM fails in a way that passes by itself.
 */
export function nextAskMs({ profile, crmFailures }: Loaded): number | false {
  if (profile.pending.length > 0) return followUpMs;
  if (profile.bitrix.status !== 'error' || !passesByItself(profile.bitrix.error?.code)) return false;
  return crmFailures < 2 ? 15_000 : 60_000;
}

async function ask(client: QueryClient, ticket: string, refresh: boolean, signal: AbortSignal): Promise<Loaded> {
  const previous = client.getQueryData(profileQuery(ticket).queryKey);
  const profile = await request(ticket, refresh, previous ? 0 : recentMs, signal);
  const isFollowUp = !refresh && previous !== undefined && previous.profile.pending.length > 0;
  const followUps = isFollowUp ? previous.followUps + 1 : 0;
  const failures = isFollowUp ? previous.crmFailures - 1 : (previous?.crmFailures ?? 0);
  return {
    // What has not come by now is shown as unknown rather than as coming.
    profile: followUps < mostFollowUps ? profile : { ...profile, pending: [] },
    before: refresh ? (previous?.profile ?? null) : (previous?.before ?? null),
    followUps,
    crmFailures: profile.bitrix.status === 'error' ? failures + 1 : 0,
  };
}

/** One message to the background, cancelled there when the signal aborts. */
async function request(ticket: string, refresh: boolean, maxAgeMs: number, signal: AbortSignal): Promise<ProfileData> {
  const call = crypto.randomUUID();
  const cancel = () => void send('profile.cancel', { call }).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  const result = await send('profile.get', { ticket, refresh, call, maxAgeMs: refresh ? 0 : maxAgeMs })
    .catch((cause: unknown) => {
      throw new ProfileFailure({ code: sendFailure(cause), requestId: null });
    })
    .finally(() => signal.removeEventListener('abort', cancel));
  if (!result.ok) throw new ProfileFailure(result.error);
  // The key already keeps tickets apart; an answer about another ticket must not be shown even so (decision 13).
  if (result.profile.ticket.name !== ticket) throw new ProfileFailure({ code: 'bad_answer', requestId: null });
  return result.profile;
}
