import type { SyncAction, SyncData } from '@deskside/shared/enrichment';
import type { ProfileData } from '@deskside/shared/profile';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { Result, SyncTarget } from '#messaging/protocol.ts';
import { failureKinds } from '#panel/status/failure.ts';
import { shownTrust } from '#summary/shown-trust.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { endsUndo, type SyncFailure, syncFailure, syncFailureMessage } from './sync-failure.ts';
import { syncAnnouncement } from './sync-model.ts';
import { applySync, previewSync, syncTarget, undoSync } from './sync-request.ts';

/**
 * The stage of a sync. `target`: the company that it is about; the stage ends when that company leaves the screen. The
 * result of a write has none and stays. `adopt`: the customer made by hand that would be the company.
 */
type SyncStage =
  | { step: 'none' }
  | { step: 'preview'; target: SyncTarget; adopt: string | null; sync: SyncData }
  | { step: 'applied'; sync: SyncData }
  | { step: 'undone'; sync: SyncData }
  | { step: 'failed'; target: SyncTarget | null; failure: SyncFailure };

export type Sync = ReturnType<typeof useSync>;

interface SyncInput {
  /** The profile on screen, null without one. */
  profile: ProfileData | null;
  loading: boolean;
  open: boolean;
  /** How often Sync customer was chosen outside the panel. */
  requests: number;
  /** Requests the profile again. */
  reload: () => Promise<unknown>;
}

/** Sync customer for one ticket. No optimistic updates, no automatic retries. */
export function useSync({ profile, loading, open, requests, reload }: SyncInput) {
  const t = useTexts();
  const announce = useAnnounce();
  const [kept, setStage] = useState<SyncStage>({ step: 'none' });
  const [reroutes, setReroutes] = useState(false);
  const [found, setFound] = useState<SyncTarget | null>(null);
  const [choice, setChoice] = useState<string | null>(null);
  const [done, setDone] = useState<SyncData | null>(null);
  const [busy, setBusy] = useState<SyncAction | null>(null);
  const [isTucked, setTucked] = useState(false);
  const running = useRef<AbortController>(null);
  const latest = useRef<AbortController>(null);
  const onScreen = profile && syncTarget(profile);
  const target = found ?? onScreen;
  const trust = found ? 'unknown' : profile && shownTrust(profile);
  const resting: SyncStage = done ? { step: 'applied', sync: done } : { step: 'none' };
  const stage = isAbout(kept, target) ? kept : resting;

  const run = async (
    action: SyncAction,
    of: SyncTarget | null,
    ask: (signal: AbortSignal) => Promise<Result<SyncData>>,
  ) => {
    if (running.current) return;
    const abort = new AbortController();
    running.current = abort;
    latest.current = abort;
    setBusy(action);
    const result = await ask(abort.signal);
    if (running.current === abort) {
      running.current = null;
      setBusy(null);
    }
    if (abort.signal.aborted) return;
    const failure = syncFailure(action, result);
    // A write may have changed the profile, and a profile that may no longer be read must not stay on screen.
    const outdated = action !== 'preview' || (!result.ok && failureKinds[result.error.code].hides);
    const reloaded = outdated && reload();
    if (failure) setStage({ step: 'failed', target: of, failure });
    else if (result.ok) setStage(answered(result.data, of));
    if (!failure && result.ok && action === 'preview') setChoice(adoptedIn(result.data));
    if (failure ? endsUndo(failure) : action === 'undo') setDone(null);
    if (!failure && result.ok && action === 'apply') {
      setDone(result.data);
      setTucked(false);
      setFound(null);
    }
    // Announced last: the reloaded profile's own announcement would interrupt it.
    await reloaded;
    if (latest.current !== abort) return;
    if (failure) announce(syncFailureMessage(failure, t).title);
    else if (result.ok) announce(syncAnnouncement(result.data, t, trust));
  };

  const ask = (of: SyncTarget | null, adopt: string | null) => {
    if (!of || busy === 'apply' || busy === 'undo') return;
    if (busy === 'preview') {
      running.current?.abort();
      running.current = null;
    }
    setChoice(adopt);
    setFound(of === onScreen ? null : of);
    void run('preview', of, (signal) => previewSync(of, adopt, signal));
  };
  const start = (of: SyncTarget | null, adopt: string | null = null) => {
    setReroutes(false);
    ask(of, adopt);
  };
  const preview = () => start(onScreen);
  const dismiss = () => {
    if (busy === 'preview') running.current?.abort();
    if (busy === null && stage.step !== resting.step) setStage(resting);
    if (busy !== 'apply') setFound(null);
  };

  const handledRequests = useRef(0);
  useEffect(() => {
    if (requests === handledRequests.current || loading) return;
    handledRequests.current = requests;
    if (onScreen) preview();
    else if (profile?.bitrix.company) announce(t.shell.syncReason);
  });
  useEffect(() => {
    if (!open) dismiss();
  });
  useEffect(() => () => running.current?.abort(), []);

  return {
    stage,
    /** The action that is running; one at a time. */
    busy,
    /** Whether the company on screen can be synced now. */
    possible: onScreen !== null,
    /** The customer made by hand that the agent says is the company; null for the one that the proxy finds or makes. */
    choice,
    /** Previews the sync with another choice. */
    choose: (adopt: string | null) => ask(target, adopt),
    /** Whether applying also sends the ticket to the team of the preview. */
    reroutes,
    setReroutes,
    preview,
    /** Previews making this customer, made by hand, the one of the company on screen. */
    adopt: (customer: string) => start(onScreen, customer),
    /** Gives such a customer back what it was. */
    undoAdoption: (id: string) => {
      if (profile) void run('undo', null, () => undoSync(profile.ticket.name, id));
    },
    /** Previews linking the ticket to another company than the one on screen. */
    previewFound: (of: SyncTarget) => start(of),
    /** Previews again what is on screen or was found, after a failure; null if nothing can be. */
    again: target && (() => ask(target, null)),
    /** Whether it is about a company that was found, of which nobody has said anything. */
    isFound: found !== null,
    apply: () => {
      if (stage.step !== 'preview') return;
      const { target, adopt, sync } = stage;
      // What the preview showed is what is agreed to, also where it was not known before which company that is.
      const of = { ...target, bitrixId: target.bitrixId ?? sync.company?.id ?? null };
      const how = { adopt, expectedCustomer: sync.ticket.customer, reroute: reroutes && sync.team != null };
      void run('apply', null, () => applySync(of, how));
    },
    undo: () => {
      const { sync_id: id, ticket } = done ?? {};
      if (id && ticket) void run('undo', null, () => undoSync(ticket.name, id));
    },
    /** Closes a preview or message. */
    dismiss,
    /** A completed sync can still be undone: its result is put away, and taken out again. */
    isTucked: isTucked && stage.step === 'applied',
    tuck: () => setTucked(true),
    untuck: () => setTucked(false),
  };
}

function answered(sync: SyncData, target: SyncTarget | null): SyncStage {
  if (sync.action === 'preview')
    return target ? { step: 'preview', target, adopt: adoptedIn(sync), sync } : { step: 'none' };
  return { step: sync.action === 'apply' ? 'applied' : 'undone', sync };
}

/** The customer made by hand that would be the company. */
function adoptedIn({ customer }: SyncData): string | null {
  return customer?.adopted ? customer.name : null;
}

/** Whether a stage is about the company on screen; if that is old data, no stage is. */
function isAbout(stage: SyncStage, target: SyncTarget | null): boolean {
  if (!('target' in stage) || stage.target === null) return true;
  return stage.target.bitrixId === target?.bitrixId && stage.target.companyId === target.companyId;
}
