import { browser } from 'wxt/browser';
import { pageUser } from '#host-page/page-user.ts';
import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';

/**
 * Like `send`, for the launcher, which has to stay small and treats all failures alike: undefined if there is no answer,
 * because the background refused or an update orphaned this script. Never throws.
 */
export async function trySend<V extends ContentVerb>(
  deskside: V,
  input: VerbInput<V>,
): Promise<VerbOutput<V> | undefined> {
  try {
    return (await browser.runtime.sendMessage({ deskside, input, user: pageUser() }))?.output;
  } catch {
    return undefined;
  }
}
