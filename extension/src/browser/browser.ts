import type { Browser } from '@deskside/shared/contract';
import { browser } from 'wxt/browser';
import { matchPattern } from './match-pattern.ts';

/** The browser, which decides the OAuth client to use. Edge runs the same package as Chrome. */
export function browserKind(firefox = import.meta.env.FIREFOX, userAgent = navigator.userAgent): Browser {
  if (firefox) return 'firefox';
  return /\bEdg\//.test(userAgent) ? 'edge' : 'chrome';
}

/** Whether the extension has permission for an origin. Ask each time: the agent can revoke it at any time. */
export async function isGranted(origin: string | null): Promise<boolean> {
  return origin !== null && browser.permissions.contains({ origins: [matchPattern(origin)] });
}

/** Asks the agent for permission. Must be the first call in the handler of a click on one of the extension's own pages. */
export function requestOrigins(origins: string[]): Promise<boolean> {
  return browser.permissions.request({ origins: [...new Set(origins.map((origin) => matchPattern(origin)))] });
}

/** Whether anything answers at an address, whatever it is. */
export function answers(address: string, withinMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(withinMs);
  return fetch(address, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal }).then(
    () => true,
    () => false,
  );
}

/** Runs a file of the extension in a tab's top frame. False if the tab is closed or not accessible. */
export function inject(tabId: number, file: string): Promise<boolean> {
  // WXT types this as the list of built files, which only exists after a build.
  const files = [file] as never[];
  return browser.scripting.executeScript({ target: { tabId, frameIds: [0] }, files }).then(
    () => true,
    () => false,
  );
}

/** Adds rules to a tab's top frame. No trace of them is visible to its scripts. */
export function addCss(tabId: number, css: string): Promise<void> {
  return browser.scripting.insertCSS({ target: { tabId, frameIds: [0] }, css });
}

export async function readShortcut(): Promise<string | null> {
  const commands = await browser.commands.getAll();
  return commands.find(({ name }) => name === 'toggle-panel')?.shortcut || null;
}

/** Opens the browser's page for extension shortcuts, the only place where they can be changed. */
export async function openShortcutSettings(): Promise<void> {
  const { commands, tabs } = browser as typeof browser & { commands: { openShortcutSettings?(): Promise<void> } };
  if (commands.openShortcutSettings) await commands.openShortcutSettings();
  else await tabs.create({ url: 'chrome://extensions/shortcuts' });
}

export async function markToolbar(isMarked: boolean, title: string): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#b35309' });
  await browser.action.setBadgeText({ text: isMarked ? '!' : '' });
  await browser.action.setTitle({ title });
}
