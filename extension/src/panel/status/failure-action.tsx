import { useState } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import { send, sendOnce } from '#messaging/send.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { failureKinds } from './failure.ts';

interface FailureActionProps {
  code: PanelErrorCode;
  busy: boolean;
  retry: () => void;
}

/** The action that helps with a failure; none where its text says whom to tell. */
export function FailureAction({ code, busy, retry }: FailureActionProps) {
  const { shell } = useTexts();
  switch (code) {
    case 'unauthenticated':
    case 'signed_out':
      return <SignIn busy={busy} onSignedIn={retry} />;
    case 'other_user':
    case 'not_configured':
      return (
        <>
          <Button solid onClick={() => void send('options.open', {})}>
            {shell.options}
          </Button>
          <Again busy={busy} retry={retry} />
        </>
      );
    case 'access_withheld':
      return (
        <Button solid onClick={() => void send('access.ask', {})}>
          {shell.allowAccess}
        </Button>
      );
    case 'extension_updated':
      return (
        <Button solid onClick={() => location.reload()}>
          {shell.reload}
        </Button>
      );
    default:
      return failureKinds[code].forAdministrator ? null : <Again busy={busy} retry={retry} />;
  }
}

function Again({ busy, retry }: Pick<FailureActionProps, 'busy' | 'retry'>) {
  const { shell } = useTexts();
  return (
    <Button icon="refresh" busy={busy} onClick={retry}>
      {shell.tryAgain}
    </Button>
  );
}

function SignIn({ busy, onSignedIn }: { busy: boolean; onSignedIn: () => void }) {
  const { shell } = useTexts();
  const announce = useAnnounce();
  const [state, setState] = useState<'idle' | 'waiting' | 'failed'>('idle');
  const signIn = async () => {
    setState('waiting');
    const problem = await sendOnce('session.signIn', {});
    // The profile says more about that one problem.
    const isOver = problem === null || problem === 'other_user';
    setState(isOver ? 'idle' : 'failed');
    if (isOver) onSignedIn();
    else announce(shell.signInFailed);
  };
  const waiting = busy || state === 'waiting';
  return (
    <>
      <Button solid busy={waiting} onClick={signIn}>
        {state === 'waiting' ? shell.finishSignIn : shell.signIn}
      </Button>
      {state === 'failed' && <p className="w-full text-xs text-bad">{shell.signInFailed}</p>}
    </>
  );
}
