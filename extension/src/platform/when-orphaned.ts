import { browser } from 'wxt/browser';

/** How often to look, in milliseconds. */
const everyMs = 1_000;

/**
 * Calls back once this script's extension has been switched off, updated or removed: Chromium leaves the script running and
 * tells it nothing. It looks at one property, because a port to the background, which would say so, also ends each time
 * the background rests. Firefox ends the script instead, and takes back the rules that the extension added.
 */
export function whenOrphaned(then: () => void): void {
  const timer = setInterval(() => {
    if (browser.runtime?.id) return;
    clearInterval(timer);
    then();
  }, everyMs);
}
