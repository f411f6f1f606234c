import { browser } from 'wxt/browser';
import { ticketOf } from '#host-page/ticket-route.ts';
import { accessMissing } from '#i18n/launcher.ts';
import { createServer } from '#messaging/server.ts';
import { browserKind, launchWebAuthFlow, redirectUri } from '#platform/identity.ts';
import { isGranted } from '#platform/permissions.ts';
import { scripting } from '#platform/scripting.ts';
import { sessionStore } from '#platform/session-store.ts';
import { readShortcut } from '#platform/shortcut.ts';
import { resolveLanguage } from '#settings/language.ts';
import type { UiLanguage } from '#settings/schema.ts';
import { readApiKey, readSettings, writeApiKey, writeSettings } from '#settings/settings.ts';
import { contentHandlers } from './content-handlers.ts';
import { pageHandlers } from './page-handlers.ts';
import { createProfileService } from './proxy/profile-service.ts';
import { createProxyCaller } from './proxy/proxy-caller.ts';
import { createRoutingService } from './proxy/routing-service.ts';
import { createSyncService } from './proxy/sync-service.ts';
import { createSignIn } from './session/create-sign-in.ts';
import { readUser } from './session/read-user.ts';
import { createSession } from './session/session.ts';
import { revoke } from './session/sign-in.ts';
import { type SignInTools, signInErrorCode } from './session/sign-in-tools.ts';
import { createRateLimit } from './tabs/rate-limit.ts';
import { createLauncherRegistration } from './tabs/register-launcher.ts';
import { tabShowsTicket } from './tabs/shows-ticket.ts';
import { togglePanel } from './tabs/toggle-panel.ts';

/** Limits per tab: forced CRM checks, which use up the company's CRM quota, and syncs. */
const maxRefreshes = 6;
const maxSyncs = 12;

type Tab = { id?: number | undefined; url?: string | undefined };

/** Wires the parts of the background to each other and to the browser. */
export function createBackground() {
  const tools: SignInTools = { launch: launchWebAuthFlow, fetch: (...args) => fetch(...args), now: Date.now };
  const kind = browserKind();
  const session = createSession({
    store: sessionStore,
    apiKey: readApiKey,
    addresses: readSettings,
    signIn: createSignIn(readSettings, kind, redirectUri, tools),
    readUser: (helpdesk, header) => readUser(helpdesk, header, tools),
    revoke: (token) => revoke(token, tools),
    codeOf: signInErrorCode,
    now: Date.now,
    ended: () => profiles.forget(null),
  });
  const call = createProxyCaller({ session });
  const profiles = createProfileService({
    now: Date.now,
    async load({ ticket, refresh, user }, signal) {
      const result = await call('customerProfile', { ticket, refresh }, signal, user);
      return result.ok ? { ok: true, profile: result.data, receivedAt: Date.now() } : result;
    },
  });
  const routing = createRoutingService(call);
  const registerLauncher = createLauncherRegistration(scripting, grantedHelpdesk);
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
        mayRefresh: createRateLimit(maxRefreshes, Date.now),
        maySync: createRateLimit(maxSyncs, Date.now),
        settings: readSettings,
        language,
        shortcut: readShortcut,
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
        shortcut: readShortcut,
        browser: kind,
        redirectUri,
        version: browser.runtime.getManifest().version,
      }),
      own: async () => ({ id: browser.runtime.id, pages: `${location.origin}/`, helpdesk: await grantedHelpdesk() }),
      showsTicket: ({ tabId, tabUrl }, ticket) => tabShowsTicket(tabId, tabUrl, ticket),
    }),
    /** Updates the launcher's registration and the badge after a start and after changes of settings or permissions. */
    async applySettings(intoOpenTabs: boolean): Promise<void> {
      const { helpdesk, proxy } = await readSettings();
      const allowed = await Promise.all([helpdesk, proxy].map((origin) => origin === null || isGranted(origin)));
      await markToolbar(allowed.includes(false), await language(null));
      await registerLauncher(intoOpenTabs);
    },
    async installed(): Promise<void> {
      const { helpdesk, proxy } = await readSettings();
      if (!(await isGranted(helpdesk)) || !(await isGranted(proxy))) await openOptions();
    },
    toggle,
    async clicked(tab: Tab): Promise<void> {
      if (!(await toggle(tab))) await openOptions();
    },
    tabChanged(tabId: number, url: string | undefined): void {
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

/** Puts a badge on the toolbar button while permission for a configured address is missing. */
async function markToolbar(missing: boolean, language: UiLanguage): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#b35309' });
  await browser.action.setBadgeText({ text: missing ? '!' : '' });
  await browser.action.setTitle({ title: missing ? accessMissing[language] : 'Deskside' });
}

async function tellLauncher(tabId: number): Promise<boolean> {
  return browser.tabs.sendMessage(tabId, { deskside: 'panel.toggle' }, { frameId: 0 }).then(
    () => true,
    () => false,
  );
}

async function language(pageLanguage: string | null): Promise<UiLanguage> {
  return resolveLanguage((await readSettings()).language, pageLanguage, browser.i18n.getUILanguage());
}
