import { browser } from 'wxt/browser';
import { ticketOf } from '../host-page/ticket-route.ts';
import type { UiLanguage } from '../messaging/protocol.ts';
import { createServer } from '../messaging/server.ts';
import { browserKind } from '../platform/browser-kind.ts';
import { launchWebAuthFlow, redirectUri } from '../platform/identity.ts';
import { resolveLanguage } from '../platform/language.ts';
import { isGranted } from '../platform/permissions.ts';
import { scripting } from '../platform/scripting.ts';
import { sessionStore } from '../platform/session-store.ts';
import { tabShowsTicket } from '../platform/tabs.ts';
import { readApiKey, writeApiKey } from '../settings/api-key-store.ts';
import { readSettings, writeSettings } from '../settings/settings.ts';
import { showBadge } from './badge.ts';
import { contentHandlers } from './content-handlers.ts';
import { togglePanel } from './open-panel.ts';
import { pageHandlers } from './page-handlers.ts';
import { createProfileService } from './profile-service.ts';
import { createProxyCaller } from './proxy-caller.ts';
import { createRoutingService } from './routing-service.ts';
import { createSession } from './session.ts';
import { revoke, type SignInTools } from './sign-in.ts';
import { createSignIn, signInProblem } from './sign-in-source.ts';
import { createLauncherSync } from './sync-launcher.ts';
import { createSyncService } from './sync-service.ts';
import { createTabLimit } from './tab-limit.ts';

/** How often a tab may force a CRM check, which costs the company's CRM budget, and how often it may sync. */
const mostRefreshes = 6;
const mostSyncs = 12;

type Tab = { id?: number | undefined; url?: string | undefined };

/** Wires the background: the only place that joins its parts with each other and with the browser. */
export function createBackground() {
  const tools: SignInTools = { launch: launchWebAuthFlow, fetch: (...args) => fetch(...args), now: Date.now };
  const kind = browserKind();
  const session = createSession({
    store: sessionStore,
    apiKey: readApiKey,
    helpdesk: async () => (await readSettings()).helpdesk,
    signIn: createSignIn(readSettings, kind, redirectUri, tools),
    revoke: (token) => revoke(token, tools),
    codeOf: signInProblem,
    now: Date.now,
  });
  const call = createProxyCaller({ session, proxy: async () => (await readSettings()).proxy });
  const profiles = createProfileService({
    now: Date.now,
    async load(ticket, refresh, signal) {
      const result = await call('customerProfile', { ticket, refresh }, signal);
      return result.ok ? { ok: true, profile: result.data, receivedAt: Date.now() } : result;
    },
  });
  const routing = createRoutingService(call);
  const syncLauncher = createLauncherSync(scripting, grantedHelpdesk);
  const openOptions = () => browser.runtime.openOptionsPage();
  const toggle = (tab: Tab | undefined) =>
    togglePanel(tab, { helpdesk: grantedHelpdesk, toggle: tellLauncher, inject: scripting.inject });

  return {
    handle: createServer({
      content: contentHandlers({
        profiles,
        session,
        scripting,
        routing,
        syncs: createSyncService(call, profiles.forget),
        mayRefresh: createTabLimit(mostRefreshes, Date.now),
        maySync: createTabLimit(mostSyncs, Date.now),
        settings: readSettings,
        language,
        shortcut,
        openOptions,
      }),
      page: pageHandlers({
        settings: readSettings,
        saveSettings: writeSettings,
        saveApiKey: writeApiKey,
        granted: isGranted,
        session,
        call,
        forget: () => {
          profiles.clear();
          routing.clear();
        },
        shortcut,
        browser: kind,
        redirectUri,
        version: browser.runtime.getManifest().version,
      }),
      own: async () => ({ id: browser.runtime.id, pages: `${location.origin}/`, helpdesk: await grantedHelpdesk() }),
      showsTicket: ({ tabId, tabUrl }, ticket) => tabShowsTicket(tabId, tabUrl, ticket),
    }),
    /** Settings or permissions changed, or the extension was started: bring registration and badge in line. */
    async sync(intoOpenTabs: boolean): Promise<void> {
      const { helpdesk, proxy } = await readSettings();
      const allowed = await Promise.all([helpdesk, proxy].map((origin) => origin === null || isGranted(origin)));
      await showBadge(allowed.includes(false), await language(null));
      await syncLauncher(intoOpenTabs);
    },
    async installed(): Promise<void> {
      const { helpdesk, proxy } = await readSettings();
      if (!(await isGranted(helpdesk)) || !(await isGranted(proxy))) await openOptions();
    },
    toggle,
    async clicked(tab: Tab): Promise<void> {
      if (!(await toggle(tab))) await openOptions();
    },
    tabShows(tabId: number, url: string | undefined): void {
      const ticket = ticketOf(url);
      profiles.leave(tabId, ticket);
      routing.leave(tabId, ticket);
    },
  };
}

async function grantedHelpdesk(): Promise<string | null> {
  const { helpdesk } = await readSettings();
  return (await isGranted(helpdesk)) ? helpdesk : null;
}

async function tellLauncher(tabId: number): Promise<boolean> {
  return browser.tabs.sendMessage(tabId, { deskside: 'panel.toggle' }, { frameId: 0 }).then(
    () => true,
    () => false,
  );
}

async function shortcut(): Promise<string | null> {
  const commands = await browser.commands.getAll();
  return commands.find(({ name }) => name === 'toggle-panel')?.shortcut || null;
}

async function language(pageLanguage: string | null): Promise<UiLanguage> {
  return resolveLanguage((await readSettings()).language, pageLanguage, browser.i18n.getUILanguage());
}
