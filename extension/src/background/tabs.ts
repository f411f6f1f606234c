import { browser } from 'wxt/browser';
import { goneMark } from '#host-page/presence.ts';
import { columnMark } from '#host-page/watch-column.ts';
import { ticketOf } from '#host-page/watch-route.ts';
import type { Registration, Scripting } from './browser.ts';
import { matchPattern } from './match-pattern.ts';

/** Path of the built script in the package. */
const launcherFile = '/launcher.js';

/** The match pattern of the helpdesk's pages that get the launcher. */
export const launcherPages = (helpdesk: string) => matchPattern(helpdesk, '/helpdesk/*');

/**
 * The registration that should exist on the granted helpdesk. None: no helpdesk configured or granted.
 */
export function desiredRegistrations(helpdesk: string | null): Registration[] {
  if (!helpdesk) return [];
  return [{ id: 'launcher', js: [launcherFile], matches: [launcherPages(helpdesk)] }];
}

/**
 * Keeps the registered content scripts in line with settings and permissions. The returned function is idempotent, and
 * its runs never overlap.
 */
export function createLauncherRegistration(scripting: Scripting, grantedHelpdesk: () => Promise<string | null>) {
  let last: Promise<unknown> = Promise.resolve();

  /** `intoOpenTabs`: also start the launcher in pages that are already open, as after an installation or an update. */
  async function run(intoOpenTabs: boolean): Promise<void> {
    const desired = desiredRegistrations(await grantedHelpdesk());
    const present = await scripting.registered();
    const outdated = present.filter((script) => !desired.some((one) => same(one, script)));
    const missing = desired.filter((script) => !present.some((one) => same(one, script)));
    if (outdated.length > 0) await scripting.unregister(outdated.map(({ id }) => id));
    for (const script of missing) await scripting.register(script);
    const [launcher] = desired;
    if (!launcher || !(intoOpenTabs || missing.includes(launcher))) return;
    const tabs = await scripting.openTabs(launcher.matches);
    await Promise.all(tabs.map((tab) => scripting.inject(tab, launcherFile)));
  }

  return (intoOpenTabs: boolean): Promise<void> => {
    const next = last.then(() => run(intoOpenTabs));
    last = next.catch(() => {});
    return next;
  };
}

function same(a: Registration, b: Registration): boolean {
  // Browsers may return paths without the leading slash.
  const key = ({ id, js, matches }: Registration) =>
    JSON.stringify([id, js.map((file) => file.replace(/^\//, '')), matches]);
  return key(a) === key(b);
}

export type Tab = { id?: number | undefined; url?: string | undefined };

/** Whether a tab shows a ticket of this helpdesk (its origin; null if none is granted). */
function isTicketTab(tab: Tab | undefined, helpdesk: string | null): tab is { id: number; url: string } {
  if (!helpdesk || tab?.id === undefined || !tab.url || !ticketOf(tab.url)) return false;
  return new URL(tab.url).origin === helpdesk;
}

interface TogglePanelOptions {
  /** Origin of the helpdesk, if it is granted. */
  helpdesk(): Promise<string | null>;
  /** Tells the launcher in a tab. False if none is listening. */
  toggle(tabId: number): Promise<boolean>;
  inject(tabId: number, file: string): Promise<boolean>;
}

/**
 * Opens or closes the panel in a tab that shows a ticket, for the keyboard shortcut and the toolbar button.
 * @returns false if the tab shows no ticket
 */
export async function togglePanel(tab: Tab | undefined, options: TogglePanelOptions): Promise<boolean> {
  if (!isTicketTab(tab, await options.helpdesk())) return false;
  // The page may have been opened before the extension was installed, updated or granted access.
  if (!(await options.toggle(tab.id)) && (await options.inject(tab.id, launcherFile))) await options.toggle(tab.id);
  return true;
}

/** The browser may learn of a tab's new address slightly later than the page. Milliseconds. */
const retryDelaysMs = [0, 30, 80, 200];

/**
 * Whether a tab shows this ticket. `knownUrl` is the address that came with the message; if it is another one, the tab's
 * address is read again a few times.
 */
export async function tabShowsTicket(
  tabId: number,
  knownUrl: string | undefined,
  ticket: string,
  readUrl: (tabId: number) => Promise<string | undefined> = urlOf,
): Promise<boolean> {
  if (ticketOf(knownUrl) === ticket) return true;
  for (const delay of retryDelaysMs) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (ticketOf(await readUrl(tabId)) === ticket) return true;
  }
  return false;
}

/** The address of a tab, undefined if it is closed or not accessible. */
async function urlOf(tabId: number): Promise<string | undefined> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  return tab?.url;
}

/** The window in which a tab's requests are counted, in milliseconds. */
const windowMs = 30_000;

/** A rate limit per tab. The returned function tells whether one more request is allowed now, and counts it if so. */
export function createRateLimit(max: number, now: () => number) {
  const taken = new Map<number, number[]>();
  return (tabId: number): boolean => {
    const recent = (taken.get(tabId) ?? []).filter((at) => now() - at < windowMs);
    const allowed = recent.length < max;
    if (allowed) recent.push(now());
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
