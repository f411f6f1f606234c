import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { FailureAction } from '#profile/status/failure-action.tsx';
import { RequestId } from '#profile/status/request-id.tsx';
import { Note } from '#ui/note.tsx';
import { findFailureMessage } from './find-model.ts';

/** Why a search got no answer, and what helps. */
export function FindFailed({ error, busy, retry }: { error: PanelError; busy: boolean; retry: () => void }) {
  const t = useTexts();
  const { title, body } = findFailureMessage(error, t);
  const tone = error.code === 'offline' || error.code === 'rate_limited' ? 'warn' : 'bad';
  return (
    <>
      <Note tone={error.code === 'signed_out' || error.code === 'unauthenticated' ? 'info' : tone} title={title}>
        <p>{body}</p>
        <RequestId id={error.requestId} />
      </Note>
      {error.code !== 'route_not_found' && (
        <div className="flex flex-wrap gap-2">
          <FailureAction code={error.code} busy={busy} retry={retry} />
        </div>
      )}
    </>
  );
}
