import { useCallback, useEffect, useState } from 'react';
import { browser } from 'wxt/browser';
import type { OptionsTexts } from '#i18n/pages/options.ts';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import { onPolicyLearnt } from '#settings/policy.ts';

export type Options = ReturnType<typeof useOptions>;

/** What every group of settings is given. */
export interface CardProps {
  state: OptionsState;
  run: Options['run'];
  texts: OptionsTexts;
}

/** The background's settings, read again when permissions or the organisation's policy change. */
export function useOptions() {
  /** Null until the background has answered. */
  const [state, setState] = useState<OptionsState | null>(null);
  /** The last request to the background failed. */
  const [failed, setFailed] = useState(false);
  /** Runs a request that answers with the new state. An error sets `failed`. */
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
