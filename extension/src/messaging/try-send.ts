import { browser } from 'wxt/browser';
import { pageUser } from '#host-page/page-user.ts';
import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';

/**
 * Like `send`, for the launcher, which has to stay small and treats all failures alike: undefined if there is no answer,
 * because the background refused or an update orphaned this script. Never throws. Only for verbs that can be repeated:
 * without an answer it asks once more, as the browser may just have ended the background.
 */
export async function trySend<V extends ContentVerb>(
  deskside: V,
  input: VerbInput<V>,
): Promise<VerbOutput<V> | undefined> {
  for (let left = 2; left > 0; left -= 1) {
    try {
      const answer = await browser.runtime.sendMessage({ deskside, input, user: pageUser() });
      if (answer) return answer.output;
    } catch {
      // As without an answer.
    }
  }
  return undefined;
}
