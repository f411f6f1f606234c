import type { PanelError, PanelErrorCode } from '../messaging/protocol.ts';
import type { Loaded } from './profile-query.ts';

/** What the panel shows of one ticket. `failure` of a profile: it could not be brought up to date. */
export type PanelView =
  | { kind: 'loading' }
  | { kind: 'failure'; error: PanelError }
  | { kind: 'profile'; loaded: Loaded; failure: PanelError | null };

export interface PanelInput {
  ticket: string;
  loaded: Loaded | undefined;
  error: PanelError | null;
  online: boolean;
}

/** Chooses what to show. Data about any other ticket than the one on screen counts as none. */
export function panelView({ ticket, loaded, error, online }: PanelInput): PanelView {
  const own = loaded?.profile.ticket.name === ticket ? loaded : undefined;
  const failure = error && asOffline(error, online);
  if (failure && (!own || !mayKeepData(failure.code))) return { kind: 'failure', error: failure };
  if (own) return { kind: 'profile', loaded: own, failure };
  return { kind: 'loading' };
}

/** What a lost connection looks like without a network: the agent is offline. */
export function asOffline(error: PanelError, online: boolean): PanelError {
  return { ...error, code: !online && isConnection(error.code) ? 'offline' : error.code };
}

/** Failures that say nothing against the data that we have; after any other it may no longer be shown. */
export function mayKeepData(code: PanelErrorCode): boolean {
  switch (code) {
    case 'unauthenticated':
    case 'signed_out':
    case 'not_an_agent':
    case 'ticket_not_readable':
    case 'ticket_not_found':
    case 'not_configured':
    case 'extension_updated':
      return false;
    case 'ticket_not_writable':
    case 'customer_not_readable':
    case 'customer_not_found':
    case 'sync_not_found':
    case 'identity_conflict':
    case 'changed_since':
    case 'bad_input':
    case 'route_not_found':
    case 'method_not_allowed':
    case 'body_too_large':
    case 'bad_answer':
    case 'rate_limited':
    case 'internal':
    case 'helpdesk_bad_answer':
    case 'helpdesk_unavailable':
    case 'helpdesk_timeout':
    case 'offline':
    case 'unreachable':
    case 'timeout':
    case 'aborted':
      return true;
    default:
      return code satisfies never;
  }
}

function isConnection(code: PanelErrorCode): boolean {
  return code === 'unreachable' || code === 'timeout' || code === 'offline';
}
