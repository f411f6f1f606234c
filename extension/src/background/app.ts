import { type Browser, browser } from 'wxt/browser';
import { isGranted, markToolbar } from '#browser/browser.ts';
import { learnPolicy, readSettings } from '#browser/settings.ts';
import { resolveLanguage } from '#i18n/language.ts';
import { compactStatus } from '#status/status.ts';
import { accessMissing, launcherTexts } from '#status/texts.ts';
import { contentHandlers } from './content-handlers.ts';
import { createPageAnchors } from './page-anchors.ts';
import { pageHandlers } from './page-handlers.ts';
import { createPerson } from './person.ts';
import { Profiles } from './profiles.ts';
import { createProxyCaller } from './proxy-caller.ts';
import { createServer, type MessageSender, servePort } from './server.ts';
import { Session } from './session.ts';
import { revoke, signInAsConfigured } from './sign-in.ts';
import { registerLauncher, type Tab, tabShowsTicket, tellLaunchers, togglePanel } from './tabs.ts';

/** How long the proxy may take to say who somebody is, in milliseconds. */
const whoamiMs = 15_000;

export function createBackground() {
  const anchors = createPageAnchors((found) => void tellLaunchers({ deskside: 'anchors', anchors: found }));
  const session = new Session({
    signIn: (interactive) => signInAsConfigured(interactive, anchors.learn),
    revoke,
    ended: () => void profiles.clear(),
  });
  const call = createProxyCaller(session);
  const profiles = new Profiles(({ ticket, refresh, user }, signal) =>
    call('customerProfile', { ticket, refresh }, signal, user),
  );
  /** Aborts once what is being asked for may no longer be shown. */
  let valid = new AbortController();
  const forget = () => {
    valid.abort();
    valid = new AbortController();
    void profiles.clear();
  };
  const person = createPerson({
    async ask(user) {
      const who = await call('whoami', {}, AbortSignal.timeout(whoamiMs), user);
      if (!who.ok) throw new Error(who.error.code);
      return { language: who.data.language, isLead: who.data.is_manager };
    },
    changed: () => void speak(),
  });
  const speech = async () => {
    const [settings, known] = await Promise.all([readSettings(), person.known()]);
    const language = resolveLanguage(settings.language, known?.language ?? null, browser.i18n.getUILanguage());
    const texts = launcherTexts[language];
    // Who leads finds the Team page in the menu.
    return { language, texts: known?.isLead ? texts : { ...texts, team: '' } };
  };
  const language = async () => (await speech()).language;
  const speak = async () => {
    await tellLaunchers({ deskside: 'language', ...(await speech()) });
  };
  /** The page that lets the browser ask for access, among other first things. */
  const openOptions = () => browser.runtime.openOptionsPage();

  const answer = createServer({
    content: contentHandlers({ call, profiles, session, anchors, language, speech, learnPerson: person.learn }),
    page: pageHandlers({ call, session, language, forget }),
    async own() {
      const { helpdesk } = await readSettings();
      const [allowed, withheld] = (await isGranted(helpdesk)) ? [helpdesk, null] : [null, helpdesk];
      return { id: browser.runtime.id, pages: `${location.origin}/`, helpdesk: allowed, withheld };
    },
    async withheld(verb) {
      if (verb === 'access.ask') return openOptions().then(() => true);
      const refused = { ok: false, error: { code: 'access_withheld' } } as const;
      return verb === 'profile.peek' ? compactStatus(refused, await language()) : refused;
    },
    lastUser: async () => (await person.known())?.user ?? '',
    showsTicket: ({ tabId, tabUrl }, ticket) => tabShowsTicket(tabId, tabUrl, ticket),
  });

  return {
    /** Answers a message that nobody gives up; undefined: it was dropped. */
    handle: (message: unknown, sender: MessageSender) => answer(message, sender, valid.signal),
    connected: (port: Browser.runtime.Port) => servePort(port, answer, valid.signal),
    /** Updates launcher, toolbar button and the language of open pages. */
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
    async clicked(tab: Tab): Promise<void> {
      if (!(await togglePanel(tab))) await openOptions();
    },
  };
}
