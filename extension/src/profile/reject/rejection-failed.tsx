import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { RequestId } from '#profile/status/request-id.tsx';
import { Note } from '#ui/note.tsx';

/** Answers that were lost on the way: what was asked for may have been done. */
const lost: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'offline', 'helpdesk_timeout', 'aborted']);

/** Why a company was not rejected, or a rejection not taken back. */
export function RejectionFailed({ error }: { error: PanelError }) {
  const { failures, reject } = useTexts();
  const { title, body } = failures.code[error.code];
  return (
    <Note tone="bad" title={`${reject.failed}: ${title}`}>
      <p>{body}</p>
      {lost.has(error.code) && <p>{reject.mayBeDone}</p>}
      <RequestId id={error.requestId} />
    </Note>
  );
}
