import type { ProfileData } from '@deskside/shared/profile';
import { useEffect, useState } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { Result } from '#messaging/protocol.ts';
import { profileOf } from './company/companies.ts';
import { ProfileBody } from './profile-body.tsx';
import { type PanelState, refreshProblem } from './query/panel-state.ts';
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
  onResult: (result: Result<ProfileData>) => void;
}

/** Everything below the panel's head, one instance per ticket. */
export function ProfileContent({ ticket, open, syncRequests, onResult }: ProfileContentProps) {
  const { state, online, refreshing, busy, retryMs, refresh, reload } = useProfile(ticket, open);
  const t = useTexts();
  const now = useNow(open);
  const [company, setCompany] = useState<string | null>(null);
  const shown = showing(state, company);
  useAnnouncements(shown, refreshing, open);
  const sync = useSync({
    profile: shown.kind === 'profile' ? shown.loaded.profile : null,
    loading: state.kind === 'loading',
    open,
    requests: syncRequests,
    reload,
  });
  useEffect(() => {
    if (state.kind === 'failure') onResult({ ok: false, error: state.error });
    if (state.kind === 'profile') onResult({ ok: true, data: state.loaded.profile });
  });
  const filling = busy && state.kind === 'profile' && state.loaded.isLast;
  return (
    <div className="content" aria-busy={refreshing || filling || state.kind === 'loading'}>
      {(refreshing || filling || sync.busy) && <div className="progress-line" />}
      {state.kind === 'loading' && <Skeleton label={t.shell.loading} />}
      {state.kind === 'failure' && (
        <FailureView error={state.error} busy={busy} retryMs={retryMs} retry={() => void reload()} />
      )}
      {state.kind === 'profile' && shown.kind === 'profile' && (
        <ProfileBody
          answered={state.loaded.profile}
          loaded={shown.loaded}
          onShowCompany={setCompany}
          {...{ failure: state.failure, retryMs, online, open, now, refreshing, sync, reload }}
          refreshFailed={refreshProblem(state, t) !== null}
          onRefresh={refresh}
        />
      )}
    </div>
  );
}

/** The state with another of the ticket's companies; unchanged where it does not have that one (any more). */
function showing(state: PanelState, orgId: string | null): PanelState {
  if (state.kind !== 'profile' || orgId === null) return state;
  const { profile, before } = state.loaded;
  const other = profileOf(profile, orgId);
  if (!other) return state;
  return { ...state, loaded: { ...state.loaded, profile: other, before: before && profileOf(before, orgId) } };
}

/** The current time in epoch milliseconds, updated every 30 seconds while `active`, and when it becomes active. */
function useNow(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
