import type { ProfileData } from '@deskside/shared/profile';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { SyncConflict } from './sync-conflict.tsx';
import { mayBeDone, type SyncFailure, syncFailureMessage, syncRemedy } from './sync-failure.ts';
import { useTexts } from './texts-context.tsx';

interface SyncFailedProps {
  failure: SyncFailure;
  bitrix: ProfileData['bitrix'];
  onRefresh: () => void;
  /** Null while a preview cannot be asked for. */
  onAgain: (() => void) | null;
  onDismiss: () => void;
}

/** Why a sync went no further, what that means for the ticket, and the one thing that helps. */
export function SyncFailed({ failure, bitrix, onRefresh, onAgain, onDismiss }: SyncFailedProps) {
  const t = useTexts();
  const { error } = failure;
  const { title, body } = syncFailureMessage(failure, t);
  const remedy = syncRemedy(failure);
  return (
    <>
      <Note tone={error?.code === 'identity_conflict' ? 'warn' : 'bad'} title={title}>
        <p>{body}</p>
        {mayBeDone(failure) && <p>{t.sync.unsure}</p>}
        {error?.conflict && <SyncConflict conflict={error.conflict} bitrix={bitrix} />}
        {error?.requestId && <p className="mt-2 text-xs">{t.shell.requestId(error.requestId)}</p>}
      </Note>
      <div className="flex flex-wrap gap-2">
        {remedy === 'refresh' && (
          <Button icon="refresh" onClick={onRefresh}>
            {t.shell.refresh}
          </Button>
        )}
        {remedy === 'again' && (
          <Button icon="refresh" unavailable={onAgain === null} onClick={() => onAgain?.()}>
            {t.shell.tryAgain}
          </Button>
        )}
        <Button onClick={onDismiss}>{t.sync.gotIt}</Button>
      </div>
    </>
  );
}
