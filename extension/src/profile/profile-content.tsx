import clsx from 'clsx';
import { useEffect } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import type { ProfileResult } from '#messaging/protocol.ts';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/use-now.ts';
import { ProfileBody } from './profile-body.tsx';
import type { PanelState } from './query/panel-state.ts';
import { useProfile } from './query/use-profile.ts';
import { FailureView } from './status/failure-view.tsx';
import { Skeleton } from './status/skeleton.tsx';
import { useSync } from './sync/use-sync.ts';
import { useAnnouncements } from './use-announcements.ts';

interface ProfileContentProps {
  ticket: string;
  open: boolean;
  /** How often Sync customer was chosen outside the panel. */
  syncRequests: number;
  /** Passes the current result to the launcher. */
  onResult: (result: ProfileResult) => void;
}

/** Everything below the title bar, one instance per ticket. */
export function ProfileContent({ ticket, open, syncRequests, onResult }: ProfileContentProps) {
  const { state, online, refreshing, busy, refresh, reload } = useProfile(ticket, open);
  const { shell } = useTexts();
  const now = useNow(open);
  useAnnouncements(state, refreshing, open);
  const sync = useSync({
    profile: state.kind === 'profile' ? state.loaded.profile : null,
    loading: state.kind === 'loading',
    open,
    requests: syncRequests,
    reload,
  });
  useEffect(() => {
    if (state.kind === 'failure') onResult({ ok: false, error: state.error });
    if (state.kind === 'profile') onResult({ ok: true, profile: state.loaded.profile, receivedAt: Date.now() });
  });
  return (
    <div
      className={clsx('relative', sync.stage.step !== 'none' && 'holds-last')}
      aria-busy={refreshing || state.kind === 'loading'}
    >
      {(refreshing || sync.busy) && <div className="progress-line" />}
      {state.kind === 'loading' && <Skeleton label={shell.loading} />}
      {state.kind === 'failure' && <FailureView error={state.error} busy={busy} retry={() => void reload()} />}
      {state.kind === 'profile' && (
        <ProfileBody
          loaded={state.loaded}
          open={open}
          now={now}
          refreshing={refreshing}
          onRefresh={refresh}
          sync={sync}
        >
          <ConnectionNote state={state} online={online} />
        </ProfileBody>
      )}
    </div>
  );
}

function ConnectionNote({ state, online }: { state: PanelState; online: boolean }) {
  const { failures, shell } = useTexts();
  if (state.kind !== 'profile') return null;
  if (state.failure && state.failure.code !== 'offline') {
    const { code, requestId } = state.failure;
    const request = requestId ? ` ${shell.requestId(requestId)}.` : '';
    return (
      <Note tone="bad" title={failures.code[code].title}>
        <p>{`${failures.kept}${request}`}</p>
      </Note>
    );
  }
  if (online && !state.failure) return null;
  return (
    <Note tone="warn" title={shell.offlineNote}>
      <p>{shell.offlineNoteBody}</p>
    </Note>
  );
}
