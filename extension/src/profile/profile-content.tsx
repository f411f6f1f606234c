import clsx from 'clsx';
import { useEffect } from 'react';
import type { ProfileResult } from '../messaging/protocol.ts';
import { Note } from '../ui/note.tsx';
import { useNow } from '../ui/use-now.ts';
import { FailureView } from './failure-view.tsx';
import type { PanelView } from './panel-view.ts';
import { ProfileBody } from './profile-body.tsx';
import { Skeleton } from './skeleton.tsx';
import { useTexts } from './texts-context.tsx';
import { useAnnouncements } from './use-announcements.ts';
import { useProfile } from './use-profile.ts';
import { useSync } from './use-sync.ts';

interface ProfileContentProps {
  ticket: string;
  open: boolean;
  /** How often Sync customer was chosen outside of the panel. */
  syncAsked: number;
  /** Tells the launcher what is known now. */
  onResult: (result: ProfileResult) => void;
}

/** Everything below the title bar, for one ticket; another ticket is another instance. */
export function ProfileContent({ ticket, open, syncAsked, onResult }: ProfileContentProps) {
  const { view, online, refreshing, busy, refresh, reload } = useProfile(ticket, open);
  const { shell } = useTexts();
  const now = useNow(open);
  useAnnouncements(view, refreshing, open);
  const sync = useSync({
    profile: view.kind === 'profile' ? view.loaded.profile : null,
    loading: view.kind === 'loading',
    open,
    asked: syncAsked,
    reload,
  });
  useEffect(() => {
    if (view.kind === 'failure') onResult({ ok: false, error: view.error });
    if (view.kind === 'profile') onResult({ ok: true, profile: view.loaded.profile, receivedAt: Date.now() });
  });
  return (
    <div
      className={clsx('relative', sync.stage.step !== 'none' && 'holds-last')}
      aria-busy={refreshing || view.kind === 'loading'}
    >
      {(refreshing || sync.busy) && <div className="progress-line" />}
      {view.kind === 'loading' && <Skeleton label={shell.loading} />}
      {view.kind === 'failure' && <FailureView error={view.error} busy={busy} retry={() => void reload()} />}
      {view.kind === 'profile' && (
        <ProfileBody loaded={view.loaded} open={open} now={now} refreshing={refreshing} onRefresh={refresh} sync={sync}>
          <ConnectionNote view={view} online={online} />
        </ProfileBody>
      )}
    </div>
  );
}

function ConnectionNote({ view, online }: { view: PanelView; online: boolean }) {
  const { failures, shell } = useTexts();
  if (view.kind !== 'profile') return null;
  if (view.failure && view.failure.code !== 'offline') {
    const { code, requestId } = view.failure;
    const request = requestId ? ` ${shell.requestId(requestId)}.` : '';
    return (
      <Note tone="bad" title={failures.code[code].title}>
        <p>{`${failures.kept}${request}`}</p>
      </Note>
    );
  }
  if (online && !view.failure) return null;
  return (
    <Note tone="warn" title={shell.offlineNote}>
      <p>{shell.offlineNoteBody}</p>
    </Note>
  );
}
