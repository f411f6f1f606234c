import type { Texts } from '#i18n/panel/texts.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { crmErrorTitle } from '#panel/status/crm-error.ts';
import { asOffline, failureKinds } from '#panel/status/failure.ts';
import type { LoadedProfile } from './profile-query.ts';

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
  const own = loaded?.profile.ticket.name === ticket ? loaded : undefined;
  const failure = error && asOffline(error, online);
  if (failure && (!own || failureKinds[failure.code].hides)) return { kind: 'failure', error: failure };
  if (own) return { kind: 'profile', loaded: failure ? asOld(own) : own, failure };
  return { kind: 'loading' };
}

function asOld(loaded: LoadedProfile): LoadedProfile {
  const { profile } = loaded;
  return { ...loaded, profile: { ...profile, bitrix: { ...profile.bitrix, stale: true } } };
}

/** Why the data on screen is not what a refresh asked for: the proxy or the CRM did not answer. Null: it is. */
export function refreshProblem(state: PanelState, t: Texts): string | null {
  if (state.kind !== 'profile') return null;
  if (state.failure) return t.failures.code[state.failure.code].title;
  const { isRefreshed, profile } = state.loaded;
  return isRefreshed && profile.bitrix.status === 'error' ? crmErrorTitle(profile.bitrix.error?.code, t) : null;
}
