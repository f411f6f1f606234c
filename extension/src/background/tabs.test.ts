import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { installExtension, scripts, ticketPage } from '#testing/fake-extension.ts';
import { helpdesk } from '#testing/sample-connection.ts';
import { createRateLimit, registerLauncher, tabShowsTicket, tellLaunchers, togglePanel } from './tabs.ts';

const setHelpdesk = (address: string | null) => fakeBrowser.storage.local.set({ settings: { helpdesk: address } });
const listeners = (...listening: boolean[]) =>
  vi.spyOn(fakeBrowser.tabs, 'sendMessage').mockImplementation((async () => {
    if (!listening.shift()) throw new Error('Could not establish connection.');
  }) as never);

beforeEach(async () => {
  await installExtension();
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([{ id: 3 }, {}, { id: 4 }] as never);
});

test("the launcher is registered on the granted helpdesk's pages only and put into open ones, again after an update", async () => {
  await setHelpdesk('https://help.example:8443');
  await registerLauncher(false);
  const matches = ['https://help.example/helpdesk/*'];
  const kept = { persistAcrossSessions: true, allFrames: false };
  expect(scripts.registered).toEqual([{ id: 'launcher', js: ['launcher.js'], matches, ...kept }]);
  expect(scripts.ran.splice(0)).toEqual(['/launcher.js 3', '/launcher.js 4']);
  await registerLauncher(false);
  expect(scripts.ran).toEqual([]);
  await registerLauncher(true);
  expect(scripts.ran).toEqual(['/launcher.js 3', '/launcher.js 4']);
});

test('another helpdesk, or a registration of an older version, is replaced; without a helpdesk there is none', async () => {
  scripts.registered = [{ id: 'old', js: ['old.js'], matches: ['https://x.example/*'] }];
  await registerLauncher(false);
  await setHelpdesk('https://new.example');
  await registerLauncher(false);
  expect(scripts.registered.map(({ id, matches }) => [id, ...matches])).toEqual([
    ['launcher', 'https://new.example/helpdesk/*'],
  ]);
  scripts.registered = [{ id: 'launcher', js: ['old.js'], matches: ['https://new.example/helpdesk/*'] }];
  await registerLauncher(false);
  expect(scripts.registered.map(({ js }) => js)).toEqual([['launcher.js']]);
  Object.assign(fakeBrowser, { permissions: { contains: async () => false } });
  await registerLauncher(false);
  expect(scripts.registered).toEqual([]);
});

test('concurrent runs do not register twice, and a failed one does not stop the next', async () => {
  let calls = 0;
  const contains = async () => {
    if (++calls === 2) throw new Error('the browser is busy');
    return true;
  };
  Object.assign(fakeBrowser, { permissions: { contains } });
  const results = await Promise.allSettled([registerLauncher(false), registerLauncher(false), registerLauncher(true)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(scripts.registered).toHaveLength(1);
});

test('a ticket tab is toggled; one that is older than the extension gets the launcher first', async () => {
  const told = listeners(true, false, true);
  expect(await togglePanel({ id: 3, url: ticketPage })).toBe(true);
  expect(scripts.ran).toEqual([]);
  expect(await togglePanel({ id: 3, url: ticketPage })).toBe(true);
  expect(scripts.ran).toEqual(['/launcher.js 3']);
  const toggle = [3, { deskside: 'panel.toggle' }, { frameId: 0 }];
  expect(told.mock.calls).toEqual([toggle, toggle, toggle]);
});

test('no page is told anything while no helpdesk is granted', async () => {
  const told = listeners();
  await setHelpdesk(null);
  await tellLaunchers({ deskside: 'written', ticket: '2' });
  expect(told).not.toHaveBeenCalled();
});

test.each([
  [undefined],
  [{ url: ticketPage }],
  [{ id: 3 }],
  [{ id: 3, url: `${helpdesk}/helpdesk/tickets` }],
  [{ id: 3, url: `${helpdesk}/helpdesk/my-tickets/2` }],
  [{ id: 3, url: 'https://evil.example/helpdesk/tickets/2' }],
  [{ id: 3, url: 'https://help.example:8443/helpdesk/tickets/2' }],
])('%j is left alone', async (tab) => {
  const told = listeners();
  expect(await togglePanel(tab)).toBe(false);
  expect([told.mock.calls, scripts.ran]).toEqual([[], []]);
});

test('a tab shows the ticket that came with the message, or soon after it; another or none is refused', async () => {
  const page = (ticket: string) => ticketPage.replace(/2$/, ticket);
  const get = vi.spyOn(fakeBrowser.tabs, 'get').mockResolvedValueOnce({ url: page('1') } as never);
  expect(await tabShowsTicket(1, page('2'), '2')).toBe(true);
  expect(get).not.toHaveBeenCalled();
  get.mockResolvedValue({ url: page('2') } as never);
  expect(await tabShowsTicket(1, page('1'), '2')).toBe(true);
  get.mockResolvedValue({ url: page('1') } as never);
  expect(await tabShowsTicket(1, page('1'), '2')).toBe(false);
  get.mockRejectedValue(new Error('No tab with id'));
  expect(await tabShowsTicket(1, undefined, '2')).toBe(false);
});

test('a tab is limited to so many requests in half a minute; other tabs are not affected', () => {
  vi.useFakeTimers();
  const allowed = createRateLimit(2);
  expect([allowed(1), allowed(1), allowed(1), allowed(2)]).toEqual([true, true, false, true]);
  vi.advanceTimersByTime(29_999);
  expect([allowed(1), allowed(1)]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect(allowed(1)).toBe(true);
  vi.useRealTimers();
});
