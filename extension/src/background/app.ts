import { type Browser, browser } from 'wxt/browser';
import { resolveLanguage } from '#i18n/language.ts';
import { compactStatus } from '#launcher/status.ts';
import { accessMissing, launcherTexts } from '#launcher/texts.ts';
import type { TabMessage } from '#messaging/protocol.ts';
import type { Sender } from '#messaging/sender-policy.ts';
import { servePort } from '#messaging/serve-port.ts';
import { createServer } from '#messaging/server.ts';
import type { UiLanguage } from '#messaging/settings.ts';
import {
  browserKind,
  isGranted,
  launchWebAuthFlow,
  markToolbar,
  readShortcut,
  redirectUri,
  scripting,
} from './browser.ts';
import { contentHandlers } from './content-handlers.ts';
import { createHelpdeskLanguage, helpdeskLanguage } from './helpdesk-language.ts';
import { createPageAnchors, createTellMissing } from './page-anchors.ts';
import { pageHandlers } from './page-handlers.ts';
import { changeLayout, readLayout } from './panel-layout.ts';
import { createProfiles } from './profiles.ts';
import { createProxyCaller } from './proxy-caller.ts';
import { createSession } from './session.ts';
import { learnPolicy, readSettings, writeSettings } from './settings.ts';
import type { SignInTools } from './sign-in.ts';
import { createSignIn, revoke } from './sign-in.ts';
import { lastingItem, sessionItem } from './storage.ts';
import {
  createLauncherRegistration,
  createRateLimit,
  launcherPages,
  type Tab,
  tabShowsTicket,
  togglePanel,
} from './tabs.ts';

/** Limits per tab: forced CRM checks and searches, which use up the company's CRM quota, and syncs. */
const maxRefreshes = 6;
const maxSyncs = 12;
const maxFinds = 10;
/** How long the proxy may take to say who somebody is, in milliseconds. */
const whoamiMs = 15_000;

/** Wires the parts of the background to each other and to the browser. */
export function createBackground() {
  const tools: SignInTools = { launch: launchWebAuthFlow, fetch: (...args) => fetch(...args), now: Date.now };
  const kind = browserKind();
  const session = createSession({
    store: sessionItem('token'),
    addresses: readSettings,
    signIn: createSignIn(readSettings, kind, redirectUri, tools, (proxy, found) => anchors.learn(proxy, found)),
    revoke: (token) => revoke(token, tools),
    now: Date.now,
    ended: () => void profiles.clear(),
  });
  const anchors = createPageAnchors({
    store: lastingItem('pageAnchors'),
    proxy: async () => (await readSettings()).proxy,
    changed: (found) => void tellLaunchers({ deskside: 'anchors', anchors: found }),
  });
  const call = createProxyCaller({ session });
  const profiles = createProfiles({
    store: sessionItem('lastProfiles'),
    load: ({ ticket, refresh, user }, signal) => call('customerProfile', { ticket, refresh }, signal, user),
    now: Date.now,
  });
  const { version } = browser.runtime.getManifest();
  const registerLauncher = createLauncherRegistration(scripting, grantedHelpdesk);
  /** Aborts once what is being asked for may no longer be shown. */
  let valid = new AbortController();
  const forget = () => {
    valid.abort();
    valid = new AbortController();
    void profiles.clear();
  };
  /** Whether the person of whom the helpdesk was last asked leads: they find the Team page in the menu. */
  const leads = sessionItem('leads');
  const learned = createHelpdeskLanguage({
    store: helpdeskLanguage,
    async ask(user) {
      const who = await call('whoami', {}, AbortSignal.timeout(whoamiMs), user);
      if (!who.ok) throw new Error(who.error.code);
      const led = await leads.read();
      await leads.write(who.data.is_manager || null);
      if (Boolean(led) !== who.data.is_manager) void speak();
      return who.data.language;
    },
    changed: () => void speak(),
  });
  const language = async (): Promise<UiLanguage> =>
    resolveLanguage((await readSettings()).language, await learned.known(), browser.i18n.getUILanguage());
  const speech = async () => {
    const [chosen, isLead] = await Promise.all([language(), leads.read()]);
    const texts = launcherTexts[chosen];
    return { language: chosen, texts: isLead ? texts : { ...texts, team: '' } };
  };
  /** Tells every open page of the helpdesk which language to speak. */
  const speak = async () => {
    await tellLaunchers({ deskside: 'language', ...(await speech()) });
  };
  /** The page that lets the browser ask for access, among other first things. */
  const openOptions = () => browser.runtime.openOptionsPage();
  const toggle = (tab: Tab | undefined) =>
    togglePanel(tab, {
      helpdesk: grantedHelpdesk,
      toggle: (tabId) => tellLauncher(tabId, { deskside: 'panel.toggle' }),
      inject: scripting.inject,
    });

  const answer = createServer({
    content: contentHandlers({
      call,
      profiles,
      session,
      scripting,
      tellMissing: createTellMissing(call, sessionItem('told'), version),
      mayRefresh: createRateLimit(maxRefreshes, Date.now),
      maySync: createRateLimit(maxSyncs, Date.now),
      mayFind: createRateLimit(maxFinds, Date.now),
      language,
      speech,
      learnLanguage: learned.learn,
      shortcut: readShortcut,
      layouts: { read: readLayout, change: changeLayout },
      anchors,
      openOptions,
      openTeam: () => browser.tabs.create({ url: '/team.html' }),
    }),
    page: pageHandlers({
      settings: readSettings,
      saveSettings: writeSettings,
      granted: isGranted,
      session,
      call,
      language,
      forget,
      shortcut: readShortcut,
      browser: kind,
      version,
    }),
    async own() {
      const [{ helpdesk: configured }, helpdesk] = await Promise.all([readSettings(), grantedHelpdesk()]);
      const withheld = helpdesk === null ? configured : null;
      return { id: browser.runtime.id, pages: `${location.origin}/`, helpdesk, withheld };
    },
    async withheld(verb) {
      if (verb === 'access.ask') return openOptions().then(() => true);
      const refused = { ok: false, error: { code: 'access_withheld' } } as const;
      return verb === 'profile.peek' ? compactStatus(refused, await language()) : refused;
    },
    showsTicket: ({ tabId, tabUrl }, ticket) => tabShowsTicket(tabId, tabUrl, ticket),
  });

  return {
    /** Answers a message that nobody gives up; undefined: it was dropped. */
    handle: (message: unknown, sender: Sender) => answer(message, sender, valid.signal),
    /** Answers what comes over a port. */
    connected: (port: Browser.runtime.Port) => servePort(port, answer, valid.signal),
    /**
     * Updates launcher, toolbar button and the language of open pages: after a start, and after changes of settings or
     * permissions.
     */
    async applySettings(intoOpenTabs: boolean): Promise<void> {
      const { helpdesk, proxy } = await readSettings();
      const allowed = await Promise.all([helpdesk, proxy].map((origin) => origin === null || isGranted(origin)));
      const isMissing = allowed.includes(false);
      await markToolbar(isMissing, isMissing ? accessMissing[await language()] : 'Deskside');
      await registerLauncher(intoOpenTabs);
      await speak();
    },
    /** Learns the organisation's policy. Where it is another one, no answer of the former addresses may be shown. */
    async learnPolicy(): Promise<void> {
      if (await learnPolicy()) forget();
    },
    async installed(): Promise<void> {
      const { helpdesk, proxy } = await readSettings();
      if ((await isGranted(helpdesk)) && (await isGranted(proxy))) return;
      await openOptions();
    },
    toggle,
    async clicked(tab: Tab): Promise<void> {
      if (!(await toggle(tab))) await openOptions();
    },
  };
}

async function grantedHelpdesk(): Promise<string | null> {
  const { helpdesk } = await readSettings();
  return (await isGranted(helpdesk)) ? helpdesk : null;
}

/** Tells every open page of the helpdesk. */
async function tellLaunchers(message: TabMessage): Promise<void> {
  const helpdesk = await grantedHelpdesk();
  const tabs = helpdesk ? await scripting.openTabs([launcherPages(helpdesk)]) : [];
  await Promise.all(tabs.map((tab) => tellLauncher(tab, message)));
}

/** False if no launcher listens in this tab. */
async function tellLauncher(tabId: number, message: TabMessage): Promise<boolean> {
  return browser.tabs.sendMessage(tabId, message, { frameId: 0 }).then(
    () => true,
    () => false,
  );
}
