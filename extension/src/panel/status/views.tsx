import { createContext, type ReactNode, useContext, useState } from 'react';
import type { PanelError, PanelErrorCode } from '#messaging/protocol.ts';
import { send, sendOnce } from '#messaging/send.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { Button } from '#ui/button.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Note, type Tone } from '#ui/note.tsx';
import { failureKinds } from './failure.ts';

interface MessageViewProps {
  icon: IconName;
  title: string;
  body: string;
  footnote?: ReactNode;
  children?: ReactNode;
}

/** A message in place of the profile: what happened, who can fix it, what to do next. */
export function MessageView({ icon, title, body, footnote, children }: MessageViewProps) {
  return (
    <div className="flex flex-col items-center px-6 pt-6 pb-5 text-center wrap-anywhere">
      <span className="mb-2.5 grid size-9 place-items-center rounded-lg bg-sunken text-ink-2">
        <Icon name={icon} size={18} />
      </span>
      <h3 className="text-lg font-semibold text-balance">{title}</h3>
      <p className="mt-1.5 max-w-80 text-sm text-pretty text-ink-2">{body}</p>
      {children && <div className="mt-3.5 flex flex-wrap justify-center gap-2 empty:hidden">{children}</div>}
      {footnote && <div className="mt-3 text-xs text-ink-3">{footnote}</div>}
    </div>
  );
}

/** A placeholder in the shape of a company, shown from the first frame on. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true">
        <div className="flex flex-col gap-2 px-4 pt-4 pb-3">
          <div className="bone h-5 w-3/5" />
          <div className="bone h-4 w-4/5" />
        </div>
        <div className="facts">
          {['w-1/2', 'w-2/3', 'w-3/5', 'w-1/3'].map((width) => (
            <div key={width} className="px-4 py-2.5">
              <div className="bone mb-2 h-3 w-12" />
              <div className={`bone h-4 ${width}`} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

export function Bones({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true" className="flex flex-col gap-2.5">
        {lines.map((line) => (
          <div key={line} className={`bone ${line}`} />
        ))}
      </div>
    </>
  );
}

/** Failures that are nobody's fault. */
const tones: Partial<Record<PanelErrorCode, Tone>> = {
  signed_out: 'info',
  unauthenticated: 'info',
  offline: 'warn',
  rate_limited: 'warn',
};

/** The failure that the next step tells of. */
export const SaidFailure = createContext<PanelError | null>(null);

/** Why a part of the panel got no answer, and what helps; nothing where the next step says the same. */
export function FailureNote({ code, busy, retry }: FailureActionProps) {
  const { title, body } = useTexts().failures.code[code];
  if (useContext(SaidFailure)?.code === code) return null;
  return (
    <>
      <Note tone={tones[code] ?? 'bad'} title={title}>
        <p>{body}</p>
      </Note>
      <div className="flex flex-wrap gap-2 empty:hidden">
        <FailureAction code={code} busy={busy} retry={retry} />
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
      {shell.tryNow}
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
