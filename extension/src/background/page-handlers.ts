import { browser } from 'wxt/browser';
import { answers, browserKind, isGranted, readShortcut } from '#browser/browser.ts';
import { readSettings, writeSettings } from '#browser/settings.ts';
import type { ConnectionTest, OptionsState, ServedHelpdesk } from '#messaging/page-protocol.ts';
import type { Result } from '#messaging/protocol.ts';
import { parseAddress, type UiLanguage } from '#messaging/settings.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import type { PageHandlers } from './server.ts';
import type { Session } from './session.ts';
import { discover } from './sign-in.ts';

interface PageHandlerOptions {
  session: Session;
  call: ProxyCaller;
  language(): Promise<UiLanguage>;
  /** Drops cached answers: the addresses or the signed-in person changed. */
  forget(): void;
}

/** Timeout of a request to an address that may be wrong, in milliseconds. */
const deadlineMs = 8_000;
/** How long the Team page waits for an answer, in milliseconds. */
const teamMs = 20_000;

export function pageHandlers({ session, call, language, forget }: PageHandlerOptions): PageHandlers {
  async function state(): Promise<OptionsState> {
    const [settings, spoken, shortcut] = await Promise.all([readSettings(), language(), readShortcut()]);
    const address = async (name: 'helpdesk' | 'proxy') => ({
      value: settings[name],
      lock: settings.locks[name],
      granted: await isGranted(settings[name]),
    });
    return {
      helpdesk: await address('helpdesk'),
      proxy: await address('proxy'),
      language: settings.language,
      spoken,
      languageLocked: settings.locks.language !== null,
      shortcut,
      version: browser.runtime.getManifest().version,
    };
  }

  async function test(): Promise<ConnectionTest> {
    const { proxy } = await readSettings();
    if (!proxy) {
      const error = { code: 'not_configured' } as const;
      return { discovery: { ok: false, error }, canSignIn: false, whoami: null };
    }
    const discovery = await discover(proxy, deadlineMs);
    if (!discovery.ok) return { discovery, canSignIn: false, whoami: null };
    const canSignIn = discovery.data.oauth_client_ids[browserKind()] !== undefined;
    return { discovery, canSignIn, whoami: await call('whoami', {}, AbortSignal.timeout(deadlineMs * 2), null) };
  }

  return {
    'welcome.find': ({ proxy }) => findHelpdesk(proxy),
    'options.state': state,
    'options.saveAddresses': async ({ helpdesk, proxy }) => {
      await writeSettings({ helpdesk, proxy });
      forget();
      return state();
    },
    'options.saveLanguage': async (chosen) => {
      await writeSettings(chosen);
      return state();
    },
    'options.test': test,
    'options.signIn': async () => {
      forget();
      return session.signIn(null);
    },
    'options.signOut': async () => {
      forget();
      await session.signOut();
      return state();
    },
    'team.today': (day) => call('routingToday', day, AbortSignal.timeout(teamMs), null),
    'team.decisions': (ticket) => call('routingDecisions', ticket, AbortSignal.timeout(teamMs), null),
  };
}

/**
 * Asks the proxy at an address which helpdesk it serves, before anything is saved or granted.
 * @returns the helpdesk's origin, null if the proxy names an address that the extension may not use; `bad_answer` if
 *   something else answers there
 */
async function findHelpdesk(proxy: string): Promise<Result<ServedHelpdesk>> {
  const found = await discover(proxy, deadlineMs);
  if (found.ok) {
    const helpdesk = parseAddress(found.data.helpdesk_url);
    return { ok: true, data: { proxy, helpdesk: helpdesk.ok ? helpdesk.origin : null } };
  }
  const { code } = found.error;
  // A server that is no Deskside proxy lets nobody read its answer, which looks like no answer at all.
  const isOther = code === 'unreachable' && (await answers(proxy, deadlineMs));
  return { ok: false, error: { code: isOther ? 'bad_answer' : code } };
}
