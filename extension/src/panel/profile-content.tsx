import type { ProfileData } from '@deskside/shared/profile';
import { useEffect, useRef, useState } from 'react';
import type { Result } from '#messaging/protocol.ts';
import { useAnnounce, useAnnounced } from '#ui/announcer.tsx';
import { profileOf } from './company/companies.ts';
import { headOf } from './head.tsx';
import { ProfileBody } from './profile-body.tsx';
import { type PanelState, refreshProblem, useProfile } from './query/use-profile.ts';
import { failureKinds } from './status/failure.ts';
import { FailureAction, MessageView, Skeleton } from './status/views.tsx';
import { useSync } from './sync/use-sync.ts';
import { type Texts, useTexts } from './texts/texts.ts';

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
  const { state, online, refreshing, busy, refresh, reload } = useProfile(ticket, open);
  const t = useTexts();
  const now = useNow(open);
  const [company, setCompany] = useState<string | null>(null);
  const answered = state.kind === 'profile' ? state.loaded.profile : null;
  // Another of the ticket's companies, as long as it has that one.
  const profile = answered && (profileOf(answered, company) ?? answered);
  useAnnouncements(headline(state, profile, t), refreshing ? null : refreshProblem(state, t), refreshing, open);
  const sync = useSync({ profile, loading: state.kind === 'loading', open, requests: syncRequests, reload });
  useEffect(() => {
    if (state.kind === 'failure') onResult({ ok: false, error: state.error });
    if (state.kind === 'profile') onResult({ ok: true, data: state.loaded.profile });
  });
  const filling = busy && state.kind === 'profile' && state.loaded.isMeanwhile;
  return (
    <div className="content" aria-busy={refreshing || filling || state.kind === 'loading'}>
      {(refreshing || filling || sync.busy) && <div className="progress-line" />}
      {state.kind === 'loading' && <Skeleton label={t.shell.loading} />}
      {state.kind === 'failure' && (
        <MessageView
          icon={failureKinds[state.error.code].icon}
          {...t.failures.code[state.error.code]}
          footnote={failureKinds[state.error.code].passes && t.crm.retrying}
        >
          <FailureAction code={state.error.code} busy={busy} retry={() => void reload()} />
        </MessageView>
      )}
      {state.kind === 'profile' && answered && profile && (
        <ProfileBody
          answered={answered}
          profile={profile}
          onShowCompany={setCompany}
          failure={state.failure}
          online={online}
          open={open}
          now={now}
          refreshing={refreshing}
          sync={sync}
          reload={reload}
          onRefresh={refresh}
        />
      )}
    </div>
  );
}

function headline(state: PanelState, profile: ProfileData | null, t: Texts): string {
  if (state.kind === 'failure') return t.failures.code[state.error.code].title;
  if (profile === null) return t.shell.loading;
  const { name, word, reason } = headOf(profile, t);
  return t.shell.loaded(name, [word, reason].filter(Boolean).join(' '));
}

/** Tells screen readers what the panel shows, and what a refresh has come to. */
function useAnnouncements(message: string, problem: string | null, refreshing: boolean, open: boolean): void {
  const { shell } = useTexts();
  const announce = useAnnounce();
  useAnnounced(open ? message : null);
  const wasRefreshing = useRef(refreshing);
  const hasFailed = useRef(false);
  useEffect(() => {
    if (wasRefreshing.current && !refreshing) {
      hasFailed.current = problem !== null;
      if (open) announce(problem ? shell.refreshFailed(problem) : shell.refreshed);
    } else if (hasFailed.current && !problem && !refreshing) {
      // The answer has come by itself since.
      hasFailed.current = false;
      if (open) announce(message);
    }
    wasRefreshing.current = refreshing;
  });
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
