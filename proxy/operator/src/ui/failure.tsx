import { Button } from '@deskside/extension/ui/button';
import { Note } from '@deskside/extension/ui/note';
import { CallFailed } from '#api/call.ts';
import { failureOf } from '#i18n/frame.ts';
import { useTexts } from '#i18n/texts.ts';

/** What went wrong, and the way on. `stale`: what was there before is still shown below. */
export function Failure({ error, stale, onRetry }: { error: unknown; stale?: boolean; onRetry: () => void }) {
  const { frame } = useTexts();
  const failure = error instanceof CallFailed ? error.failure : null;
  const { title, body } = frame.failure[failureOf(failure?.code ?? 'internal')];
  return (
    <div role="alert">
      <Note tone="bad" title={title}>
        <p>
          {body} {stale && frame.old}
        </p>
        {failure?.requestId && (
          <p className="mt-1 text-xs">
            {frame.requestId}: <bdi>{failure.requestId}</bdi>
          </p>
        )}
        <Button className="mt-2" icon="refresh" onClick={onRetry}>
          {frame.tryAgain}
        </Button>
      </Note>
    </div>
  );
}
