import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';
import { transmit } from './transmit.ts';

/**
 * Like `send`, for the launcher, which has to stay small and treats all failures alike: undefined if there is no answer,
 * because the background refused, an update orphaned this script or nobody waits any more. Never throws. Only for verbs that
 * can be repeated: without an answer it asks once more, as the browser may just have ended the background.
 */
export async function trySend<V extends ContentVerb>(
  verb: V,
  input: VerbInput<V>,
  signal?: AbortSignal,
): Promise<VerbOutput<V> | undefined> {
  for (let left = 2; left > 0; left -= 1) {
    try {
      const answer = await transmit(verb, input, signal);
      if (answer) return answer.output as VerbOutput<V>;
    } catch {
      // As without an answer.
    }
  }
  return undefined;
}
