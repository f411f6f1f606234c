import { browser } from 'wxt/browser';
import { pageUser } from '#host-page/page-user.ts';
import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';

/**
 * Why a message got no answer. `extension_updated`: the extension was updated, reloaded or removed after this script was
 * loaded, so the page has to be reloaded. `refused`: the background dropped the message or failed to handle it.
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
 * A message to the background and its answer. No answer means that the message was dropped. `user`: whom the page shows,
 * at the moment of sending.
 */
interface WireMessage {
  deskside: string;
  input: unknown;
  user: string | undefined;
}
export interface WireAnswer {
  output: unknown;
}

/**
 * Sends one of the requests listed in `protocol.ts` to the background.
 * @returns the output, which the background has checked against the verb's schema
 * @throws SendError, and nothing else
 */
export async function send<V extends ContentVerb>(verb: V, input: VerbInput<V>): Promise<VerbOutput<V>> {
  return (await post(verb, input)) as VerbOutput<V>;
}

/** The untyped transport below `send`, shared with the extension's own pages. Throws SendError. */
export async function post(verb: string, input: unknown): Promise<unknown> {
  let answer: WireAnswer | undefined;
  try {
    const message: WireMessage = { deskside: verb, input, user: pageUser() };
    answer = await browser.runtime.sendMessage(message);
  } catch (cause) {
    // An orphaned content script keeps running, but its runtime has lost its id.
    throw new SendError(browser.runtime?.id ? 'refused' : 'extension_updated', cause);
  }
  if (!answer) throw new SendError('refused');
  return answer.output;
}
