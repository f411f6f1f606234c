import type { SyncAction, SyncData } from '@deskside/shared/enrichment';
import type { ProfileData } from '@deskside/shared/profile';
import { useEffect, useRef, useState } from 'react';
import type { SyncResult, SyncTarget } from '../messaging/protocol.ts';
import { useAnnounce } from '../ui/announcer.tsx';
import { mayKeepData } from './panel-view.ts';
import { shownTrust } from './shown-trust.ts';
import { endsUndo, type SyncFailure, syncFailure, syncFailureMessage } from './sync-failure.ts';
import { applySync, previewSync, syncTarget, undoSync } from './sync-request.ts';
import { syncSaid, syncView } from './sync-view.ts';
import { useTexts } from './texts-context.tsx';

/**
 * Where the agent is in syncing. `target`: the company that it is about; gone with it from the screen. What became of a
 * write has none: that stays.
 */
export type SyncStage =
  | { step: 'none' }
  | { step: 'preview'; target: SyncTarget; sync: SyncData }
  | { step: 'applied'; sync: SyncData }
  | { step: 'undone'; sync: SyncData }
  | { step: 'failed'; target: SyncTarget | null; failure: SyncFailure };

export interface Sync {
  stage: SyncStage;
  /** What is being done; one at a time. */
  busy: SyncAction | null;
  /** Whether the company on screen can be synced now. */
  possible: boolean;
  preview: () => void;
  apply: () => void;
  undo: () => void;
  /** Back to before the question. What has been synced can be undone all the same. */
  dismiss: () => void;
}

interface SyncInput {
  /** The profile on screen, null without one. */
  profile: ProfileData | null;
  loading: boolean;
  open: boolean;
  /** How often Sync customer was chosen outside of the panel. */
  asked: number;
  /** Asks for the profile again, in the ordinary way. */
  reload: () => Promise<unknown>;
}

/** Sync customer for one ticket. Nothing is shown as done before it is, and nothing is tried again by itself. */
export function useSync({ profile, loading, open, asked, reload }: SyncInput): Sync {
  const t = useTexts();
  const announce = useAnnounce();
  const [kept, setStage] = useState<SyncStage>({ step: 'none' });
  const [done, setDone] = useState<SyncData | null>(null);
  const [busy, setBusy] = useState<SyncAction | null>(null);
  const running = useRef<AbortController>(null);
  const latest = useRef<AbortController>(null);
  const target = profile && syncTarget(profile);
  const trust = profile && shownTrust(profile);
  const resting: SyncStage = done ? { step: 'applied', sync: done } : { step: 'none' };
  const stage = isAbout(kept, target) ? kept : resting;

  const run = async (action: SyncAction, of: SyncTarget | null, ask: (signal: AbortSignal) => Promise<SyncResult>) => {
    if (running.current) return;
    const abort = new AbortController();
    running.current = abort;
    latest.current = abort;
    setBusy(action);
    const result = await ask(abort.signal);
    running.current = null;
    setBusy(null);
    if (abort.signal.aborted) return;
    const failure = syncFailure(action, result);
    // What was read before a write may be wrong now, and what may no longer be read must not stay on screen.
    const outdated = action !== 'preview' || (!result.ok && !mayKeepData(result.error.code));
    const reloaded = outdated && reload();
    if (failure) setStage({ step: 'failed', target: action === 'preview' ? of : null, failure });
    else if (result.ok) setStage(answered(result.sync, of));
    if (failure ? endsUndo(failure) : action === 'undo') setDone(null);
    if (!failure && result.ok && action === 'apply') setDone(result.sync);
    // Said last: what the reloaded profile says of itself would cut it short.
    await reloaded;
    if (latest.current !== abort) return;
    if (failure) announce(syncFailureMessage(failure, t).title);
    else if (result.ok) announce(syncSaid(result.sync, syncView(result.sync, t, trust), t));
  };

  const preview = () => {
    if (target) void run('preview', target, (signal) => previewSync(target, signal));
  };
  const dismiss = () => {
    if (busy === 'preview') running.current?.abort();
    if (busy === null && stage.step !== resting.step) setStage(resting);
  };

  const answeredTurns = useRef(0);
  useEffect(() => {
    if (asked === answeredTurns.current || loading) return;
    answeredTurns.current = asked;
    if (target) preview();
    else if (profile?.bitrix.company) announce(t.shell.syncReason);
  });
  useEffect(() => {
    if (!open) dismiss();
  });
  useEffect(() => () => running.current?.abort(), []);

  return {
    stage,
    busy,
    possible: target !== null,
    preview,
    apply: () => {
      if (stage.step === 'preview')
        void run('apply', stage.target, () => applySync(stage.target, stage.sync.ticket.customer));
    },
    undo: () => {
      const { sync_id: id, ticket } = done ?? {};
      if (id && ticket) void run('undo', null, () => undoSync(ticket.name, id));
    },
    dismiss,
  };
}

function answered(sync: SyncData, target: SyncTarget | null): SyncStage {
  if (sync.action === 'preview') return target ? { step: 'preview', target, sync } : { step: 'none' };
  return { step: sync.action === 'apply' ? 'applied' : 'undone', sync };
}

/** What was about a company that is no longer on screen, or no longer fresh, is about nothing. */
function isAbout(stage: SyncStage, target: SyncTarget | null): boolean {
  if (!('target' in stage) || stage.target === null) return true;
  return stage.target.bitrixId === target?.bitrixId && stage.target.companyId === target.companyId;
}
