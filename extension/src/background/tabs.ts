import { type Browser, browser } from 'wxt/browser';
import { inject } from '#browser/browser.ts';
import { matchPattern } from '#browser/match-pattern.ts';
import { grantedHelpdesk } from '#browser/settings.ts';
import { createQueue } from '#browser/storage.ts';
import { goneMark } from '#host-page/presence.ts';
import { columnMark } from '#host-page/watch-column.ts';
import { ticketOf } from '#host-page/watch-route.ts';
import type { TabMessage } from '#messaging/protocol.ts';

const launcherFile = '/launcher.js';

const launcherPages = (helpdesk: string) => matchPattern(helpdesk, '/helpdesk/*');

const inTurn = createQueue();

/**
 * Keeps the registered launcher in line with settings and permissions. It can be repeated, and its runs never overlap.
 * @param intoOpenTabs also starts it in pages that are already open, as after an installation or an update
 */
export function registerLauncher(intoOpenTabs: boolean): Promise<void> {
  return inTurn(() => register(intoOpenTabs));
}

async function register(intoOpenTabs: boolean): Promise<void> {
  const helpdesk = await grantedHelpdesk();
  const { scripting } = browser;
  const kept = { persistAcrossSessions: true, allFrames: false };
  const desired = helpdesk && { id: 'launcher', js: [launcherFile], matches: [launcherPages(helpdesk)], ...kept };
  const present = await scripting.getRegisteredContentScripts();
  const outdated = present.filter((script) => !desired || keyOf(script) !== keyOf(desired));
  if (outdated.length > 0) await scripting.unregisterContentScripts({ ids: outdated.map(({ id }) => id) });
  if (!desired) return;
  if (outdated.length === present.length) await scripting.registerContentScripts([desired]);
  else if (!intoOpenTabs) return;
  const tabs = await openTabs(helpdesk);
  await Promise.all(tabs.map((tab) => inject(tab, launcherFile)));
}

function keyOf({ id, js, matches }: Browser.scripting.RegisteredContentScript): string {
  // Browsers may return paths without the leading slash.
  return JSON.stringify([id, js?.map((file) => file.replace(/^\//, '')), matches]);
}

async function openTabs(helpdesk: string): Promise<number[]> {
  const tabs = await browser.tabs.query({ url: launcherPages(helpdesk) });
  return tabs.flatMap(({ id }) => id ?? []);
}

/** Tells every open page of the helpdesk, but for that of this tab. */
export async function tellLaunchers(message: TabMessage, except?: number): Promise<void> {
  const helpdesk = await grantedHelpdesk();
  const tabs = helpdesk ? await openTabs(helpdesk) : [];
  await Promise.all(tabs.map((tab) => tab !== except && tellLauncher(tab, message)));
}

/** False if no launcher listens in this tab. */
async function tellLauncher(tabId: number, message: TabMessage): Promise<boolean> {
  return browser.tabs.sendMessage(tabId, message, { frameId: 0 }).then(
    () => true,
    () => false,
  );
}

export type Tab = { id?: number | undefined; url?: string | undefined };

/** Opens or closes the panel in a tab that shows a ticket; false: it shows none of the granted helpdesk. */
export async function togglePanel({ id, url }: Tab = {}): Promise<boolean> {
  if (id === undefined || !url || !ticketOf(url)) return false;
  if (new URL(url).origin !== (await grantedHelpdesk())) return false;
  const toggle = () => tellLauncher(id, { deskside: 'panel.toggle' });
  // The page may have been opened before the extension was installed, updated or granted access.
  if (!(await toggle()) && (await inject(id, launcherFile))) await toggle();
  return true;
}

/** The browser may learn of a tab's new address slightly later than the page. Milliseconds. */
const retryDelaysMs = [0, 30, 80, 200];

/** Whether a tab shows this ticket. Where the address that came with the message is another, it is read again. */
export async function tabShowsTicket(tabId: number, knownUrl: string | undefined, ticket: string): Promise<boolean> {
  if (ticketOf(knownUrl) === ticket) return true;
  for (const delay of retryDelaysMs) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    // Null: it is closed or not accessible.
    const tab = await browser.tabs.get(tabId).catch(() => null);
    if (ticketOf(tab?.url) === ticket) return true;
  }
  return false;
}

/** The window in which a tab's requests are counted, in milliseconds. */
const windowMs = 30_000;

/** A rate limit per tab. The returned function tells whether one more request is allowed now, and counts it if so. */
export function createRateLimit(max: number) {
  const taken = new Map<number, number[]>();
  return (tabId: number): boolean => {
    const recent = (taken.get(tabId) ?? []).filter((at) => Date.now() - at < windowMs);
    const allowed = recent.length < max;
    if (allowed) recent.push(Date.now());
    taken.set(tabId, recent);
    return allowed;
  };
}

/** Height of the switch at the head of the column, in CSS pixels: as high as the helpdesk's own tabs beside it. */
const facesHeight = 45;

const column = (face: string) => `:root:not([${goneMark}]) > body:has(> deskside-panel[face=${face}]) [${columnMark}]`;

/**
 * The rule that gives the helpdesk's own column two faces, as the panel says on its element: below the switch its content,
 * or the panel in its place, and the content out of sight and of the tab order. What is empty is the handle that makes the
 * column wider, and stays. Without the panel it does nothing.
 */
export const facesRule = `@media screen { ${column('ticket')} { padding-top: ${facesHeight}px !important } ${column('customer')} > :not(:empty) { visibility: hidden !important } }`;
