import { browser } from 'wxt/browser';

/*
 * What tells a page that the extension of its scripts has been switched off, updated or removed. Chromium leaves the
 * scripts running and keeps the rules that the extension has added: a script notices (`whenOrphaned`) and puts
 * a mark on the page. Firefox ends the scripts, leaves on the page what they have put there, such as a panel that nobody can
 * close, and takes the rules back: there launcher and panel are shown by such a rule.
 */

/** On the page's outermost element once its extension is gone: the rules that Chromium leaves behind then do nothing. */
export const goneMark = 'deskside-gone';

/** Says that the extension of this page's scripts is gone, unless the next version has put its own panel here meanwhile. */
export function markGone(): void {
  if (!document.querySelector('deskside-panel')) document.documentElement.toggleAttribute(goneMark, true);
}

/** Takes back what a version before has said. */
export function unmarkGone(): void {
  document.documentElement.toggleAttribute(goneMark, false);
}

const shown = '--deskside-shown';

/** The rule that shows launcher and panel, to be added to each page before they come. Null where they need none. */
export const presenceRule = import.meta.env.FIREFOX
  ? `deskside-launcher{${shown}:flex}deskside-panel{${shown}:block}`
  : null;

/** For the style sheet in the shadow root of each, behind what else that says of the host. */
export const shownByRule = import.meta.env.FIREFOX ? `:host{display:var(${shown},none)!important}` : '';

/** How often to look, in milliseconds. */
const everyMs = 1_000;

/**
 * Calls back once this script's extension has been switched off, updated or removed. It looks at one property: a port to the
 * background, which would say so, also ends each time the background rests.
 */
export function whenOrphaned(then: () => void): void {
  const timer = setInterval(() => {
    if (browser.runtime?.id) return;
    clearInterval(timer);
    then();
  }, everyMs);
}
