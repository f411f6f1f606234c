import { seconds } from '#i18n/format.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError, PanelErrorCode } from '#messaging/protocol.ts';
import type { IconName } from '#ui/icon.tsx';
import { FailureAction } from './failure-action.tsx';
import { MessageView } from './message-view.tsx';
import { RequestId } from './request-id.tsx';

const icons: Record<PanelErrorCode, IconName> = {
  bad_input: 'alert',
  unauthenticated: 'person',
  not_an_agent: 'lock',
  not_a_system_manager: 'lock',
  ticket_not_readable: 'lock',
  ticket_not_writable: 'lock',
  customer_not_readable: 'lock',
  customer_not_writable: 'lock',
  route_not_found: 'alert',
  ticket_not_found: 'search',
  customer_not_found: 'search',
  sync_not_found: 'search',
  rejection_not_found: 'search',
  identity_conflict: 'alert',
  changed_since: 'refresh',
  other_revision: 'alert',
  method_not_allowed: 'alert',
  body_too_large: 'alert',
  rate_limited: 'clock',
  internal: 'alert',
  helpdesk_bad_answer: 'alert',
  helpdesk_unavailable: 'offline',
  helpdesk_timeout: 'clock',
  store_unavailable: 'offline',
  signed_out: 'person',
  other_user: 'person',
  not_configured: 'off',
  offline: 'offline',
  unreachable: 'offline',
  timeout: 'clock',
  aborted: 'refresh',
  bad_answer: 'alert',
  extension_updated: 'refresh',
};

interface FailureViewProps {
  error: PanelError;
  busy: boolean;
  /** The pause after which it is tried again by itself, in milliseconds; false: it is not. */
  retryMs: number | false;
  retry: () => void;
}

/** Why there is no profile, with the action that helps. */
export function FailureView({ error, busy, retryMs, retry }: FailureViewProps) {
  const { failures, language } = useTexts();
  return (
    <MessageView
      icon={icons[error.code]}
      {...failures.code[error.code]}
      footnote={
        <>
          {retryMs !== false && <p>{failures.again(seconds(language, retryMs))}</p>}
          <RequestId id={error.requestId} />
        </>
      }
    >
      <FailureAction code={error.code} busy={busy} retry={retry} />
    </MessageView>
  );
}
