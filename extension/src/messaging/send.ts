import { browser } from 'wxt/browser';
import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';
import { transmit, type WireAnswer } from './transmit.ts';

/**
 * Why a message got no answer. `extension_updated`: the extension was updated, reloaded or removed after this script was
 * loaded, so the page has to be reloaded. `refused`: the background dropped the message or failed to handle it, or nobody
 * waits for its answer any more.
 */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: 'extension_updated' | 'refused';

  constructor(code: SendError['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/**
 * Sends one of the requests listed in `protocol.ts` to the background.
 * @param signal cancels it, also in the background. Only for requests that change nothing: without an answer they are made
 *   once more, as the browser may just have ended the background.
 * @returns the output, which the background has checked against the verb's schema
 * @throws SendError, and nothing else
 */
export async function send<V extends ContentVerb>(
  verb: V,
  input: VerbInput<V>,
  signal?: AbortSignal,
): Promise<VerbOutput<V>> {
  const request = () => post(verb, input, signal) as Promise<VerbOutput<V>>;
  return request().catch((error: SendError) => {
    if (!signal || signal.aborted || error.code !== 'refused') throw error;
    return request();
  });
}

/** The untyped transport below `send`, shared with the extension's own pages. Throws SendError. */
export async function post(verb: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
  let answer: WireAnswer;
  try {
    answer = await transmit(verb, input, signal);
  } catch (cause) {
    // An orphaned content script keeps running, but its runtime has lost its id.
    throw new SendError(browser.runtime?.id ? 'refused' : 'extension_updated', cause);
  }
  if (!answer) throw new SendError('refused');
  return answer.output;
}
