import type { ProfileData } from '@deskside/shared/profile';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { PanelError, PanelErrorCode } from '#messaging/protocol.ts';
import type { Texts } from '#panel/texts/texts.ts';
import type { IconName } from '#ui/icon.tsx';

interface FailureKind {
  icon: IconName;
  /** No data may stay on screen after it: it may not be this person's any more, or there is none. */
  hides?: true;
  /** The agent can do nothing but tell somebody who may mend it: asking again would give the same answer. */
  forAdministrator?: true;
  /** The same again would be refused again, until the agent or somebody else has changed something. */
  stays?: true;
  /** Asking again in a moment may help: somebody on the way was away, or busy. */
  passes?: true;
  /** The answer was lost: what was to be written may be written. */
  isUnsure?: true;
}

/** What is to be known of a failure besides its words. */
export const failureKinds: Record<PanelErrorCode, FailureKind> = {
  bad_input: { icon: 'alert', forAdministrator: true },
  unauthenticated: { icon: 'person', hides: true },
  not_an_agent: { icon: 'lock', hides: true, forAdministrator: true },
  not_a_manager: { icon: 'lock', hides: true, forAdministrator: true },
  ticket_not_readable: { icon: 'lock', hides: true, forAdministrator: true },
  ticket_not_writable: { icon: 'lock', stays: true },
  ticket_read_by_other: { icon: 'lock', stays: true },
  customer_not_readable: { icon: 'lock', stays: true },
  customer_not_writable: { icon: 'lock', stays: true },
  route_not_found: { icon: 'alert', forAdministrator: true },
  ticket_not_found: { icon: 'search', hides: true, stays: true },
  customer_not_found: { icon: 'search', stays: true },
  sync_not_found: { icon: 'search' },
  rejection_not_found: { icon: 'search' },
  identity_conflict: { icon: 'alert' },
  changed_since: { icon: 'refresh' },
  other_revision: { icon: 'alert', forAdministrator: true },
  method_not_allowed: { icon: 'alert', forAdministrator: true },
  body_too_large: { icon: 'alert', forAdministrator: true },
  rate_limited: { icon: 'clock', passes: true },
  internal: { icon: 'alert', passes: true, isUnsure: true },
  helpdesk_bad_answer: { icon: 'alert', passes: true, isUnsure: true },
  helpdesk_refused: { icon: 'alert', forAdministrator: true },
  helpdesk_rate_limited: { icon: 'clock', passes: true },
  helpdesk_unavailable: { icon: 'offline', passes: true, isUnsure: true },
  helpdesk_timeout: { icon: 'clock', passes: true, isUnsure: true },
  store_unavailable: { icon: 'offline', passes: true, isUnsure: true },
  signed_out: { icon: 'person', hides: true },
  other_user: { icon: 'person', hides: true },
  not_configured: { icon: 'off', hides: true },
  offline: { icon: 'offline', isUnsure: true },
  unreachable: { icon: 'offline', passes: true, isUnsure: true },
  timeout: { icon: 'clock', passes: true, isUnsure: true },
  aborted: { icon: 'refresh', isUnsure: true },
  bad_answer: { icon: 'alert', passes: true, isUnsure: true },
  access_withheld: { icon: 'lock', hides: true, passes: true },
  extension_updated: { icon: 'refresh', hides: true },
};

/** Turns a connection error into `offline` if there is no network. */
export function asOffline(error: PanelError, online: boolean): PanelError {
  const isConnection = error.code === 'unreachable' || error.code === 'timeout';
  return !online && isConnection ? { ...error, code: 'offline' } : error;
}

/** What happened to a CRM request, in a few words. */
export function crmErrorTitle(code: CrmErrorCode | undefined, { crm }: Texts): string {
  return code ? crm.error[code] : crm.unknownError;
}

/** Why there is no CRM to ask; null where there is one. */
export function crmAbsent(status: string | null, { crm }: Texts): string | null {
  if (status === 'disabled') return crm.disabled;
  return status === 'missing_config' ? crm.missingConfig : null;
}

/** Why the CRM says nothing of a ticket. */
export function crmErrorOf({ status, error }: ProfileData['bitrix'], t: Texts): string {
  return crmAbsent(status, t) ?? crmErrorTitle(error?.code, t);
}

/** Whether an error may resolve itself; the others need an administrator. */
export function passesByItself(code: CrmErrorCode | undefined): boolean {
  return code !== 'unauthorized' && code !== 'insufficient_scope' && code !== 'redirected';
}
