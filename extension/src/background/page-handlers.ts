import { callProxy } from '@deskside/shared/client';
import type { Browser } from '@deskside/shared/contract';
import type { ConnectionTest, Found, OptionsState } from '#messaging/page-protocol.ts';
import type { PageHandlers } from '#messaging/server.ts';
import type { UiLanguage } from '#messaging/settings.ts';
import { parseAddress } from '#messaging/settings.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import type { Session } from './session.ts';
import type { Settings, Stored } from './settings.ts';

export interface PageHandlerOptions {
  settings(): Promise<Settings>;
  saveSettings(change: Partial<Stored>): Promise<void>;
  granted(origin: string | null): Promise<boolean>;
  session: Session;
  call: ProxyCaller;
  language(): Promise<UiLanguage>;
  /** Drops cached answers: the addresses or the signed-in person changed. */
  forget(): void;
  shortcut(): Promise<string | null>;
  browser: Browser;
  version: string;
  fetch?: typeof globalThis.fetch;
}

/** Timeout of each of the two calls of a connection test, in milliseconds. */
const testMs = 8_000;
/** How long the Team page waits for an answer, in milliseconds. */
const teamMs = 20_000;

/** Handlers for the verbs of the extension's own pages. */
export function pageHandlers(options: PageHandlerOptions): PageHandlers {
  const { session } = options;

  async function state(): Promise<OptionsState> {
    const [settings, spoken, kind, shortcut] = await Promise.all([
      options.settings(),
      options.language(),
      session.kind(),
      options.shortcut(),
    ]);
    const address = async (name: 'helpdesk' | 'proxy') => ({
      value: settings[name],
      lock: settings.locks[name],
      granted: await options.granted(settings[name]),
    });
    return {
      helpdesk: await address('helpdesk'),
      proxy: await address('proxy'),
      language: settings.language,
      spoken,
      languageLocked: settings.locks.language !== null,
      session: kind,
      shortcut,
      version: options.version,
    };
  }

  async function test(): Promise<ConnectionTest> {
    const { proxy } = await options.settings();
    if (!proxy) {
      const error = { code: 'not_configured' } as const;
      return { discovery: { ok: false, error }, canSignIn: false, whoami: null };
    }
    const client = { baseUrl: proxy, authorization: null, timeoutMs: testMs };
    const discovery = await callProxy('discovery', {}, { ...client, ...(options.fetch && { fetch: options.fetch }) });
    if (!discovery.ok) return { discovery, canSignIn: false, whoami: null };
    const canSignIn = discovery.data.oauth_client_ids[options.browser] !== undefined;
    return { discovery, canSignIn, whoami: await options.call('whoami', {}, AbortSignal.timeout(testMs * 2), null) };
  }

  return {
    'welcome.find': ({ proxy }) => findHelpdesk(proxy, options.fetch ?? ((...args) => fetch(...args))),
    'options.state': state,
    'options.saveAddresses': async ({ helpdesk, proxy }) => {
      await options.saveSettings({ helpdesk, proxy });
      options.forget();
      return state();
    },
    'options.saveLanguage': async ({ language }) => {
      await options.saveSettings({ language });
      return state();
    },
    'options.test': test,
    'options.signIn': async () => {
      options.forget();
      return { problem: await session.signIn(null) };
    },
    'options.signOut': async () => {
      options.forget();
      await session.signOut();
      return state();
    },
    'team.today': (day) => options.call('routingToday', day, AbortSignal.timeout(teamMs), null),
    'team.decisions': (ticket) => options.call('routingDecisions', ticket, AbortSignal.timeout(teamMs), null),
  };
}

/** Timeout of each request, in milliseconds. */
const deadlineMs = 8_000;

/**
 * Asks the proxy at an address which helpdesk it serves, before anything is saved or granted.
 * @returns the helpdesk's origin, or why there is none: `bad_answer` if something else answers there, `bad_helpdesk` if
 *   the proxy names an address that the extension may not use
 */
export async function findHelpdesk(proxy: string, fetch: typeof globalThis.fetch): Promise<Found> {
  const found = await callProxy('discovery', {}, { baseUrl: proxy, authorization: null, timeoutMs: deadlineMs, fetch });
  if (found.ok) {
    const helpdesk = parseAddress(found.data.helpdesk_url);
    return helpdesk.ok ? { ok: true, proxy, helpdesk: helpdesk.origin } : { ok: false, code: 'bad_helpdesk' };
  }
  const { code } = found.error;
  // A server that is no Deskside proxy lets nobody read its answer, which looks like no answer at all.
  return { ok: false, code: code === 'unreachable' && (await answers(proxy, fetch)) ? 'bad_answer' : code };
}

/** Whether anything answers at an address. */
function answers(origin: string, fetch: typeof globalThis.fetch): Promise<boolean> {
  const signal = AbortSignal.timeout(deadlineMs);
  return fetch(origin, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal }).then(
    () => true,
    () => false,
  );
}
