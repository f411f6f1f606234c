import type { Message } from '#i18n/panel/crm-states.ts';
import type { PanelError, PanelErrorCode } from '#messaging/protocol.ts';
import { Note } from '#ui/note.tsx';
import type { Tone } from '#ui/tone.ts';
import { FailureAction } from './failure-action.tsx';

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
