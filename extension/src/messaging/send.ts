import { browser } from 'wxt/browser';
import type { ContentVerb, VerbInput, VerbOutput } from './protocol.ts';

/** What the background answers with. None: it dropped the message. */
export type WireAnswer = { output: unknown } | null | undefined;

/**
 * Sends one of the requests listed in `protocol.ts` to the background. Only for what can be repeated: without an answer it
 * asks once more, as the browser may just have ended the background.
 * @param signal gives the request up, also in the background
 * @returns the output, which the background has checked against the verb's schema; undefined if there is no answer, because
 *   the background refused, an update orphaned this script or nobody waits any more. Never throws.
 */
export async function send<V extends ContentVerb>(
  verb: V,
  input: VerbInput<V>,
  signal?: AbortSignal,
): Promise<VerbOutput<V> | undefined> {
  const request = () => post<VerbOutput<V>>(verb, input, signal);
  const output = await request();
  return output === undefined ? request() : output;
}

/** Like `send`, for what changes something: it is not repeated. */
export const sendOnce = <V extends ContentVerb>(verb: V, input: VerbInput<V>) => post<VerbOutput<V>>(verb, input);

/** Why there was no answer: an orphaned content script keeps running, but its runtime has lost its id. */
export function noAnswer(): 'internal' | 'extension_updated' {
  return browser.runtime?.id ? 'internal' : 'extension_updated';
}

/**
 * The untyped transport below `send`, shared with the extension's own pages. It also says whom the page shows at this moment.
 * With a signal a message has a port of its own, whose end cancels it there, as it also ends with the page.
 * @returns undefined if there is no answer
 */
export async function post<T>(verb: string, input: unknown, signal?: AbortSignal): Promise<T | undefined> {
  const message = { deskside: verb, input, user: pageUser() };
  try {
    const answer: WireAnswer = await (signal ? overPort(message, signal) : browser.runtime.sendMessage(message));
    return answer?.output as T | undefined;
  } catch {
    return undefined;
  }
}

async function overPort(message: object, signal: AbortSignal): Promise<WireAnswer> {
  signal.throwIfAborted();
  const port = browser.runtime.connect();
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  port.onMessage.addListener(resolve);
  port.onDisconnect.addListener(reject);
  signal.addEventListener('abort', reject);
  port.postMessage(message);
  return promise.finally(() => {
    signal.removeEventListener('abort', reject);
    port.disconnect();
  });
}

/**
 * Who is signed in on the helpdesk's page, as its cookie `user_id` has it (docs/helpdesk.md#the-ticket-page): still
 * encoded, undefined if there is none. The background reads it (`userOf`).
 */
export function pageUser(): string | undefined {
  return /(^|; )user_id=([^;]*)/.exec(document.cookie)?.[2];
}
