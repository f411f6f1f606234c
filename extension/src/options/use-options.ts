import { useCallback, useEffect, useState } from 'react';
import { browser } from 'wxt/browser';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import { onPolicyLearnt } from '#settings/policy.ts';

export interface Options {
  /** Null until the background has answered. */
  state: OptionsState | null;
  /** The last request to the background failed. */
  failed: boolean;
  /** Runs a request that answers with the new state. An error sets `failed`. */
  run(change: () => Promise<OptionsState>): Promise<OptionsState | null>;
}

/** The background's settings, read again when permissions or the organisation's policy change. */
export function useOptions(): Options {
  const [state, setState] = useState<OptionsState | null>(null);
  const [failed, setFailed] = useState(false);
  const run = useCallback(async (change: () => Promise<OptionsState>) => {
    try {
      const next = await change();
      setState(next);
      setFailed(false);
      return next;
    } catch {
      setFailed(true);
      return null;
    }
  }, []);
  useEffect(() => {
    const reload = () => void run(() => ask('options.state', {}));
    reload();
    browser.permissions.onAdded.addListener(reload);
    browser.permissions.onRemoved.addListener(reload);
    const unwatch = onPolicyLearnt(reload);
    return () => {
      unwatch();
      browser.permissions.onAdded.removeListener(reload);
      browser.permissions.onRemoved.removeListener(reload);
    };
  }, [run]);
  return { state, failed, run };
}
