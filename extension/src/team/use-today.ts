import type { Today } from '@deskside/shared/today';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ask } from '#messaging/page-protocol.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import { failureKinds } from '#panel/status/failure.ts';

const everyMs = 60_000;
/** Asking again by itself would not change these. */
const lasting: ReadonlySet<PanelErrorCode> = new Set(['not_a_manager', 'not_an_agent', 'signed_out', 'not_configured']);

interface State {
  today: Today | null;
  /** Why the last question got no answer. */
  failure: PanelErrorCode | null;
  busy: boolean;
}

/** The day as whoever looks has it, in epoch milliseconds: its first moment and that of the next. */
export function dayOf(now: Date): { from: number; to: number } {
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
  return { from: midnight(0), to: midnight(1) };
}

/** The background did not answer. */
export const noAnswer = { ok: false, error: { code: 'internal' } } as const;

/** Today, asked for again each minute while the page is visible. What may not stay after a failure goes. */
export function useToday(): State & { load: () => void } {
  const [state, setState] = useState<State>({ today: null, failure: null, busy: true });
  const asked = useRef({ at: 0, number: 0, failure: null as PanelErrorCode | null });
  const load = useCallback(async () => {
    const number = asked.current.number + 1;
    asked.current = { ...asked.current, at: Date.now(), number };
    setState((before) => ({ ...before, busy: true }));
    const answer = (await ask('team.today', dayOf(new Date()))) ?? noAnswer;
    // A later question has been asked since.
    if (asked.current.number !== number) return;
    const failure = answer.ok ? null : answer.error.code;
    asked.current.failure = failure;
    setState(({ today }) => ({
      today: answer.ok ? answer.data : failure && (failureKinds[failure].hides ?? false) ? null : today,
      failure,
      busy: false,
    }));
  }, []);
  useEffect(() => {
    const again = () => {
      const { at, failure } = asked.current;
      if (document.visibilityState !== 'visible' || (failure !== null && lasting.has(failure))) return;
      if (Date.now() - at >= everyMs) void load();
    };
    void load();
    const timer = setInterval(again, everyMs);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [load]);
  return { ...state, load: () => void load() };
}
