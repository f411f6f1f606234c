import { useTexts } from '#i18n/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { Note } from '#ui/note.tsx';

/** Answers that were lost on the way: what was asked for may have been done. */
const lost: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'offline', 'helpdesk_timeout', 'aborted']);

/** Why a company was not rejected, or a rejection not taken back. */
export function RejectionFailed({ error }: { error: PanelError }) {
  const { failures, reject, shell } = useTexts();
  const { title, body } = failures.code[error.code];
  return (
    <Note tone="bad" title={`${reject.failed}: ${title}`}>
      <p>{body}</p>
      {lost.has(error.code) && <p>{reject.mayBeDone}</p>}
      {error.requestId && <p className="mt-2 text-xs">{shell.requestId(error.requestId)}</p>}
    </Note>
  );
}
