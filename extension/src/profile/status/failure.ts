import type { PanelError, PanelErrorCode } from '#messaging/protocol.ts';
import { SendError } from '#messaging/send.ts';

/** The error code for an exception thrown by `send`. */
export function failureCode(cause: unknown): PanelErrorCode {
  return cause instanceof SendError && cause.code === 'extension_updated' ? 'extension_updated' : 'internal';
}

/** Turns a connection error into `offline` if there is no network. */
export function asOffline(error: PanelError, online: boolean): PanelError {
  return { ...error, code: !online && isConnection(error.code) ? 'offline' : error.code };
}

/** Whether the agent can do nothing but tell somebody who may mend it: asking again would give the same answer. */
export function needsAdministrator(code: PanelErrorCode): boolean {
  return forAdministrators.has(code);
}

const forAdministrators: ReadonlySet<PanelErrorCode> = new Set([
  'not_an_agent',
  'ticket_not_readable',
  'bad_input',
  'route_not_found',
  'other_revision',
  'method_not_allowed',
  'body_too_large',
]);

/** Whether data may stay on screen after this failure. */
export function mayKeepData(code: PanelErrorCode): boolean {
  switch (code) {
    case 'unauthenticated':
    case 'signed_out':
    case 'other_user':
    case 'not_an_agent':
    case 'ticket_not_readable':
    case 'ticket_not_found':
    case 'not_configured':
    case 'extension_updated':
      return false;
    case 'not_a_system_manager':
    case 'ticket_not_writable':
    case 'customer_not_readable':
    case 'customer_not_writable':
    case 'customer_not_found':
    case 'sync_not_found':
    case 'rejection_not_found':
    case 'identity_conflict':
    case 'changed_since':
    case 'other_revision':
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
    case 'store_unavailable':
    case 'offline':
    case 'unreachable':
    case 'timeout':
    case 'aborted':
      return true;
    default:
      return code satisfies never;
  }
}

/** Whether asking again in a moment may help: somebody on the way was away, or busy. */
export function passesBySoon(code: PanelErrorCode): boolean {
  return away.has(code);
}

const away: ReadonlySet<PanelErrorCode> = new Set([
  ...(['unreachable', 'timeout', 'bad_answer', 'rate_limited', 'internal', 'store_unavailable'] as const),
  ...(['helpdesk_bad_answer', 'helpdesk_unavailable', 'helpdesk_timeout'] as const),
]);

function isConnection(code: PanelErrorCode): boolean {
  return code === 'unreachable' || code === 'timeout' || code === 'offline';
}
