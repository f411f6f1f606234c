import { useCallback, useEffect, useState } from 'react';
import { ask, type PopupProblem, type PopupState } from '#messaging/page-protocol.ts';

/** The recent customers at once, and a moment later whether anything is wrong. */
export function usePopup() {
  /** Null until the background has answered. */
  const [state, setState] = useState<PopupState | null>(null);
  const [problem, setProblem] = useState<PopupProblem | null>(null);
  /** The background did not answer. */
  const [failed, setFailed] = useState(false);
  /** Something is being done about the problem. */
  const [busy, setBusy] = useState(false);
  const look = useCallback(async () => {
    const check = ask('popup.check', {});
    // Waited for below; without an answer to the first question there is nothing to show it in.
    check.catch(() => {});
    try {
      setState(await ask('popup.state', {}));
      setProblem((await check).problem);
      // The check may have found out that somebody else is signed in, which clears the list.
      setState(await ask('popup.state', {}));
    } catch {
      setFailed(true);
    }
  }, []);
  useEffect(() => void look(), [look]);
  /** Does something about the problem, then looks again whether there is one. */
  const mend = useCallback(
    async (action: () => Promise<unknown>) => {
      setBusy(true);
      await action().catch(() => setFailed(true));
      await look();
      setBusy(false);
    },
    [look],
  );
  return { state, failed, problem, busy, mend };
}
