import type { SyncAction, SyncData } from '@deskside/shared/enrichment';
import type { FoundCompany } from '@deskside/shared/find';
import type { ProfileData } from '@deskside/shared/profile';
import { useEffect, useRef, useState } from 'react';
import type { Result, SyncTarget } from '#messaging/protocol.ts';
import { failureKinds } from '#panel/status/failure.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { shownTrust } from '#status/status.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import {
  applySync,
  doneSentence,
  endsUndo,
  previewSentence,
  previewSync,
  type SyncFailure,
  syncFailure,
  syncFailureMessage,
  syncTarget,
  undoSync,
} from './sync.ts';

/** What is previewed, over the profile. `found`: a company that was searched for, of which nobody has said anything. */
interface Preview {
  target: SyncTarget;
  found: FoundCompany | null;
  sync: SyncData | null;
  failure: SyncFailure | null;
}

/** What the last write has come to. The profile on screen may be about another company by then. */
export type Outcome =
  | { kind: 'done' | 'undone' | 'nothing'; sync: SyncData }
  | { kind: 'failed'; failure: SyncFailure };

export type Sync = ReturnType<typeof useSync>;

interface SyncOptions {
  profile: ProfileData | null;
  loading: boolean;
  open: boolean;
  /** How often Sync customer was chosen outside the panel. */
  requests: number;
  reload: () => Promise<unknown>;
}

/**
 * Runs one action at a time; with `isInstead` what runs is given up. What `settle` says of the result is announced once the
 * profile that shows it is there.
 */
function useOneAtATime(reload: () => Promise<unknown>) {
  const t = useTexts();
  const announce = useAnnounce();
  const [busy, setBusy] = useState<SyncAction | null>(null);
  const running = useRef<AbortController>(null);
  const run = async (
    action: SyncAction,
    ask: (signal: AbortSignal) => Promise<Result<SyncData>>,
    settle: (sync: SyncData | null, failure: SyncFailure | null) => string,
    isInstead = false,
  ) => {
    if (isInstead) {
      running.current?.abort();
      running.current = null;
    }
    if (running.current) return;
    const abort = new AbortController();
    running.current = abort;
    setBusy(action);
    const result = await ask(abort.signal);
    // A write may have changed the profile, which is there before it is told; one that may no longer be read must not stay.
    const isOutdated = action !== 'preview' || (!result.ok && failureKinds[result.error.code].hides);
    if (isOutdated && !abort.signal.aborted) await reload();
    if (running.current === abort) {
      running.current = null;
      setBusy(null);
    }
    if (abort.signal.aborted) return;
    const failure = syncFailure(action, result);
    const words = settle(result.ok && !failure ? result.data : null, failure);
    announce(failure ? syncFailureMessage(failure, t).title : words);
  };
  useEffect(() => () => running.current?.abort(), []);
  return { busy, run, giveUp: () => running.current?.abort() };
}

/** Confirming, linking and bringing up to date for one ticket. No optimistic updates, no automatic retries. */
export function useSync({ profile, loading, open, requests, reload }: SyncOptions) {
  const t = useTexts();
  const announce = useAnnounce();
  const [kept, setPreview] = useState<Preview | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  /** What can be undone. */
  const [done, setDone] = useState<SyncData | null>(null);
  const [reroutes, setReroutes] = useState(false);
  const { busy, run, giveUp } = useOneAtATime(reload);
  const onScreen = profile && syncTarget(profile);
  // It ends when the company that it is about leaves the screen.
  const preview = kept && (kept.found || isSame(kept.target, onScreen)) ? kept : null;
  const trust = preview?.found ? 'unknown' : ((profile && shownTrust(profile)) ?? 'unknown');

  const ask = (target: SyncTarget | null, found: FoundCompany | null, adopt: string | null) => {
    if (!target || busy === 'apply' || busy === 'undo') return;
    void run(
      'preview',
      (signal) => previewSync(target, adopt, signal),
      (sync, failure) => {
        const sentence = sync && previewSentence(sync, found ? 'unknown' : trust, t);
        if (sync && sentence === '') setOutcome({ kind: 'nothing', sync });
        setPreview(sentence === '' ? null : { target, found, sync, failure });
        return sentence || t.sync.nothing;
      },
      true,
    );
  };
  const start = (target: SyncTarget | null, found: FoundCompany | null, adopt: string | null = null) => {
    setReroutes(false);
    ask(target, found, adopt);
  };
  const dismiss = () => {
    if (busy === 'preview') giveUp();
    if (busy !== 'apply') setPreview(null);
  };
  const undo = (id: string) => {
    if (!profile) return;
    void run(
      'undo',
      () => undoSync(profile.ticket.name, id),
      (sync, failure) => {
        if (sync || (failure && endsUndo(failure))) setDone(null);
        setOutcome(sync ? { kind: 'undone', sync } : failure && { kind: 'failed', failure });
        return sync ? t.sync.done.undone(sync.ticket.customer) : '';
      },
    );
  };

  const handledRequests = useRef(0);
  useEffect(() => {
    if (requests === handledRequests.current || loading) return;
    handledRequests.current = requests;
    if (onScreen) start(onScreen, null);
    else if (profile?.bitrix.company) announce(t.sync.oldData);
  });
  useEffect(() => {
    if (!open && kept) dismiss();
  });

  return {
    preview,
    outcome,
    /** The trust in the company that it is about. */
    trust,
    busy,
    /** Whether the company on screen can be written now. */
    possible: onScreen !== null,
    /** Whether applying also sends the ticket to the team of the preview. */
    reroutes,
    setReroutes,
    /** Previews confirming the company on screen; `adopt`: with this customer, made by hand, as its own. */
    start: (adopt?: string) => start(onScreen, null, adopt),
    /** Previews linking the ticket to a company that was found. */
    startFound: (target: SyncTarget, found: FoundCompany) => start(target, found),
    /** Previews the same again: after a failure, or with another customer made by hand, null for a new one. */
    again: (adopt: string | null = null) => preview && ask(preview.target, preview.found, adopt),
    apply: () => {
      const previewed = preview?.sync;
      if (!previewed) return;
      void run(
        'apply',
        () => applySync(preview.target, previewed, reroutes && previewed.team != null),
        (sync, failure) => {
          if (sync) setDone(sync);
          // It stays, whatever company the profile shows by then.
          setOutcome(sync ? { kind: 'done', sync } : failure && { kind: 'failed', failure });
          setPreview(null);
          return sync ? doneSentence(sync, t) : '';
        },
      );
    },
    /** Takes back the sync with this id, or a customer's adoption. */
    undo,
    dismiss,
    forget: () => setOutcome(done && { kind: 'done', sync: done }),
  };
}

function isSame(target: SyncTarget, other: SyncTarget | null): boolean {
  return target.bitrix_id === other?.bitrix_id && target.company_id === other.company_id;
}
