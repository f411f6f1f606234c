import { browser } from 'wxt/browser';
import { pageUser } from '#host-page/page-user.ts';

/** What the background answers with. None: it dropped the message. */
export type WireAnswer = { output: unknown } | null | undefined;

/**
 * Brings a message to the background, and with it whom the page shows at this moment.
 * @param signal gives the request up. It has a port of its own, whose end cancels it there, as it also ends with the page.
 * @throws whatever happened on the way; the browser may have ended the background before it answered
 */
export async function transmit(verb: string, input: unknown, signal?: AbortSignal): Promise<WireAnswer> {
  const message = { deskside: verb, input, user: pageUser() };
  if (!signal) return browser.runtime.sendMessage(message);
  signal.throwIfAborted();
  const port = browser.runtime.connect();
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  port.onMessage.addListener(resolve);
  port.onDisconnect.addListener(() => reject(new Error('Ended without an answer.')));
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp);
  port.postMessage(message);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
    port.disconnect();
  }
}
