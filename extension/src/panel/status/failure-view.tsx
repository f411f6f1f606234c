import { useState } from 'react';
import type { PanelError, PanelErrorCode } from '#messaging/protocol.ts';
import { send, sendOnce } from '#messaging/send.ts';
import { useTexts } from '#panel/texts-context.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { Button } from '#ui/button.tsx';
import type { Tone } from '#ui/note.tsx';
import { Note } from '#ui/note.tsx';
import type { Message } from './crm-texts.ts';
import { failureKinds } from './failure.ts';

/** Failures that are nobody's fault. */
const tones: Partial<Record<PanelErrorCode, Tone>> = {
  signed_out: 'info',
  unauthenticated: 'info',
  offline: 'warn',
  rate_limited: 'warn',
};

interface FailureNoteProps {
  error: PanelError;
  message: Message;
  busy: boolean;
  retry: () => void;
}

/** Why a part of the panel got no answer, and what helps. */
export function FailureNote({ error, message: { title, body }, busy, retry }: FailureNoteProps) {
  return (
    <>
      <Note tone={tones[error.code] ?? 'bad'} title={title}>
        <p>{body}</p>
      </Note>
      <div className="flex flex-wrap gap-2 empty:hidden">
        <FailureAction code={error.code} busy={busy} retry={retry} />
      </div>
    </>
  );
}

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
