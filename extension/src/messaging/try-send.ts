import { browser } from 'wxt/browser';
import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';

/**
 * Like `send`, for the launcher, which is small and treats every failure alike: undefined where there is no answer,
 * because the background refused or this script was orphaned by an update. Never throws.
 */
export async function trySend<V extends ContentVerb>(
  deskside: V,
  input: VerbInput<V>,
): Promise<VerbOutput<V> | undefined> {
  try {
    return (await browser.runtime.sendMessage({ deskside, input }))?.output;
  } catch {
    return undefined;
  }
}
