import { browser } from 'wxt/browser';
import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';

/**
 * Why a message got no answer. `extension_updated`: this script belongs to an extension that was updated, reloaded or
 * removed, and only reloading the page helps. `refused`: the background dropped or could not serve the message.
 */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: 'extension_updated' | 'refused';

  constructor(code: SendError['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** The wire form of a message to the background, and of its answer. No answer at all means that it was dropped. */
export interface WireMessage {
  deskside: string;
  input: unknown;
}
export interface WireAnswer {
  output: unknown;
}

/**
 * Asks the background for something on the closed list of `protocol.ts`.
 * @returns the output that the background has checked against the verb's schema
 * @throws SendError, and nothing else
 */
export async function send<V extends ContentVerb>(verb: V, input: VerbInput<V>): Promise<VerbOutput<V>> {
  return (await post(verb, input)) as VerbOutput<V>;
}

/** The untyped transport below `send`, shared with the extension's own pages. Throws SendError. */
export async function post(verb: string, input: unknown): Promise<unknown> {
  let answer: WireAnswer | undefined;
  try {
    const message: WireMessage = { deskside: verb, input };
    answer = await browser.runtime.sendMessage(message);
  } catch (cause) {
    // An orphaned content script keeps running, but its runtime has lost its id.
    throw new SendError(browser.runtime?.id ? 'refused' : 'extension_updated', cause);
  }
  if (!answer) throw new SendError('refused');
  return answer.output;
}
