import { vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { helpdesk, proxy } from './sample-connection.ts';

export const user = 'an@help.example';
export const ticketPage = `${helpdesk}/helpdesk/tickets/2`;

/** Scripts that are registered, and files that were run in tabs, as texts. */
export const scripts = { registered: [] as { id: string; js: string[]; matches: string[] }[], ran: [] as string[] };

/**
 * For tests of the background: what the fake browser lacks. Everything is granted, a helpdesk and a proxy are set, and this
 * person's token is there. Like a real browser it refuses an id twice, and forgets the leading slash.
 */
export async function installExtension(): Promise<void> {
  scripts.registered = [];
  scripts.ran = [];
  vi.stubGlobal('location', { origin: 'chrome-extension://deskside' });
  vi.stubGlobal('navigator', { onLine: true, userAgent: 'Chrome' });
  Object.assign(fakeBrowser.runtime, {
    id: 'deskside',
    getManifest: () => ({ version: '1.2.3' }),
    openOptionsPage: vi.fn(async () => {}),
  });
  Object.assign(fakeBrowser, {
    permissions: { contains: async () => true },
    commands: { getAll: async () => [{ name: 'toggle-panel', shortcut: 'Alt+Shift+K' }] },
    action: { setBadgeText: vi.fn(), setBadgeBackgroundColor: vi.fn(), setTitle: vi.fn() },
    identity: { getRedirectURL: () => 'https://deskside.example/cb', launchWebAuthFlow: async () => undefined },
    scripting: {
      getRegisteredContentScripts: async () => scripts.registered,
      async registerContentScripts([script]: typeof scripts.registered) {
        if (!script || scripts.registered.some(({ id }) => id === script.id)) throw new Error('Duplicate script ID');
        scripts.registered.push({ ...script, js: script.js.map((file) => file.slice(1)) });
      },
      async unregisterContentScripts({ ids }: { ids: string[] }) {
        scripts.registered = scripts.registered.filter(({ id }) => !ids.includes(id));
      },
      async executeScript({ target, files }: { target: { tabId: number }; files: string[] }) {
        scripts.ran.push(`${files} ${target.tabId}`);
      },
      insertCSS: vi.fn(async () => {}),
    },
  });
  vi.spyOn(fakeBrowser.i18n, 'getUILanguage').mockReturnValue('en');
  await fakeBrowser.storage.local.set({ settings: { helpdesk, proxy, language: 'auto' } });
  const token = { value: 't1', expiresAt: Number.MAX_SAFE_INTEGER, user, clientId: 'c', helpdesk, proxy };
  await fakeBrowser.storage.session.set({ token });
}

export const yes = (data: object) => Response.json({ success: true, data, message: '' });
export const no = (code: string, status = 400, more = {}) =>
  Response.json({ success: false, data: { code, request_id: 'r1', ...more }, message: '' }, { status });

interface SentRequest {
  url: string;
  path: string;
  input: unknown;
  authorization: string | null;
  init: RequestInit;
}

/** Answers requests by their paths, anything else with an error; gives what was sent. */
export function answerFetch(answers: Record<string, () => Response | Promise<Response>>): SentRequest[] {
  const sent: SentRequest[] = [];
  vi.stubGlobal('fetch', async (address: string | URL, init: RequestInit = {}) => {
    const url = new URL(address);
    const input = init.body ? JSON.parse(String(init.body)) : Object.fromEntries(url.searchParams);
    const authorization = new Headers(init.headers).get('authorization');
    sent.push({ url: url.href, path: url.pathname, input, authorization, init });
    return answers[url.pathname]?.() ?? no('internal', 500);
  });
  return sent;
}
