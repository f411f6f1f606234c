import { useState } from 'react';
import type { PanelError, PanelErrorCode } from '../messaging/protocol.ts';
import { send } from '../messaging/send.ts';
import { useAnnounce } from '../ui/announcer.tsx';
import { Button } from '../ui/button.tsx';
import type { IconName } from '../ui/icon.tsx';
import { MessageView } from './message-view.tsx';
import { useTexts } from './texts-context.tsx';

type Action = 'retry' | 'sign_in' | 'options' | 'reload';

const looks: Record<PanelErrorCode, { icon: IconName; action: Action }> = {
  bad_input: { icon: 'alert', action: 'retry' },
  unauthenticated: { icon: 'person', action: 'sign_in' },
  not_an_agent: { icon: 'lock', action: 'retry' },
  ticket_not_readable: { icon: 'lock', action: 'retry' },
  ticket_not_writable: { icon: 'lock', action: 'retry' },
  customer_not_readable: { icon: 'lock', action: 'retry' },
  route_not_found: { icon: 'alert', action: 'retry' },
  ticket_not_found: { icon: 'search', action: 'retry' },
  customer_not_found: { icon: 'search', action: 'retry' },
  sync_not_found: { icon: 'search', action: 'retry' },
  identity_conflict: { icon: 'alert', action: 'retry' },
  changed_since: { icon: 'refresh', action: 'retry' },
  method_not_allowed: { icon: 'alert', action: 'retry' },
  body_too_large: { icon: 'alert', action: 'retry' },
  rate_limited: { icon: 'clock', action: 'retry' },
  internal: { icon: 'alert', action: 'retry' },
  helpdesk_bad_answer: { icon: 'alert', action: 'retry' },
  helpdesk_unavailable: { icon: 'offline', action: 'retry' },
  helpdesk_timeout: { icon: 'clock', action: 'retry' },
  signed_out: { icon: 'person', action: 'sign_in' },
  not_configured: { icon: 'off', action: 'options' },
  offline: { icon: 'offline', action: 'retry' },
  unreachable: { icon: 'offline', action: 'retry' },
  timeout: { icon: 'clock', action: 'retry' },
  aborted: { icon: 'refresh', action: 'retry' },
  bad_answer: { icon: 'alert', action: 'retry' },
  extension_updated: { icon: 'refresh', action: 'reload' },
};

interface FailureViewProps {
  error: PanelError;
  busy: boolean;
  retry: () => void;
}

/** Why there is no profile, with the one thing that helps. */
export function FailureView({ error, busy, retry }: FailureViewProps) {
  const { failures, shell } = useTexts();
  const { icon, action } = looks[error.code];
  return (
    <MessageView
      icon={icon}
      {...failures.code[error.code]}
      footnote={error.requestId && shell.requestId(error.requestId)}
    >
      {action === 'sign_in' && <SignIn busy={busy} onSignedIn={retry} />}
      {action === 'options' && (
        <Button solid onClick={() => void send('options.open', {}).catch(() => {})}>
          {shell.options}
        </Button>
      )}
      {action === 'reload' && (
        <Button solid onClick={() => location.reload()}>
          {shell.reload}
        </Button>
      )}
      {action !== 'sign_in' && action !== 'reload' && (
        <Button icon="refresh" busy={busy} onClick={retry}>
          {shell.tryAgain}
        </Button>
      )}
    </MessageView>
  );
}

function SignIn({ busy, onSignedIn }: { busy: boolean; onSignedIn: () => void }) {
  const { shell } = useTexts();
  const announce = useAnnounce();
  const [state, setState] = useState<'idle' | 'waiting' | 'failed'>('idle');
  const signIn = async () => {
    setState('waiting');
    const signedIn = await send('session.signIn', {}).catch(() => false);
    setState(signedIn ? 'idle' : 'failed');
    if (signedIn) onSignedIn();
    else announce(shell.signInFailed);
  };
  const waiting = busy || state === 'waiting';
  return (
    <>
      <Button solid busy={waiting} onClick={signIn}>
        {shell.signIn}
      </Button>
      {state === 'failed' && <p className="w-full text-xs text-bad">{shell.signInFailed}</p>}
    </>
  );
}
