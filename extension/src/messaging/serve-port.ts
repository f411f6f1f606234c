import { type Browser, browser } from 'wxt/browser';
import type { WireAnswer } from './send.ts';
import type { Sender } from './sender-policy.ts';

/** Chromium ends a background that did nothing for 30 seconds, and waiting for an answer is nothing. Milliseconds. */
const awakeMs = 20_000;

/**
 * Answers the message that comes over a port. Its page gives it up by closing the port, or by going away.
 * @param valid ends what may no longer be answered; a page that still waits then asks again
 */
export function servePort(
  port: Browser.runtime.Port,
  answer: (message: unknown, sender: Sender, signal: AbortSignal) => Promise<WireAnswer>,
  valid: AbortSignal,
): void {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, valid]);
  port.onDisconnect.addListener(() => left.abort());
  port.onMessage.addListener(async (message: unknown) => {
    const awake = setInterval(browser.runtime.getPlatformInfo, awakeMs);
    const answered = await answer(message, port.sender ?? {}, signal).catch(() => null);
    clearInterval(awake);
    if (signal.aborted) port.disconnect();
    else port.postMessage(answered ?? null);
  });
}
