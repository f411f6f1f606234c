import { beforeEach, expect, test, vi } from 'vitest';
import { browser } from 'wxt/browser';
import { fakePort } from '#testing/fake-port.ts';
import { helpdesk } from '#testing/sample-connection.ts';
import { type ContentHandlers, createServer, type MessageSender, type PageHandlers, servePort } from './server.ts';

const ticketPage = `${helpdesk}/helpdesk/tickets/2`;
const texts = { open: 'o', actions: 'a', refresh: 'r', sync: 's', reload: 'l', team: 't' };
const speech = { language: 'vi', texts, shortcut: null, anchors: {} };
const script: MessageSender = {
  ...{ id: 'ext', url: ticketPage, origin: helpdesk, frameId: 0 },
  tab: { id: 7, url: ticketPage },
};
const page: MessageSender = { id: 'ext', url: 'chrome-extension://ext/options.html', origin: 'chrome-extension://ext' };
const { signal } = new AbortController();

function server(output: unknown = speech, own: { helpdesk?: string | null; withheld?: string } = {}) {
  const ran: unknown[] = [];
  const get = (_: object, verb: string) => async (input: unknown, caller?: unknown) =>
    ran.push(caller ? [verb, input, caller] : [verb, input]) && output;
  const handlers = new Proxy({}, { get });
  const answer = createServer({
    content: handlers as ContentHandlers,
    page: handlers as PageHandlers,
    own: async () => ({ id: 'ext', pages: 'chrome-extension://ext/', helpdesk, withheld: null, ...own }),
    withheld: async (verb) => (verb === 'access.ask' ? true : { ok: false, error: { code: 'access_withheld' } }),
    lastUser: async () => 'an@help.example',
    showsTicket: async ({ tabUrl }, ticket) => tabUrl === `${helpdesk}/helpdesk/tickets/${ticket}`,
  });
  return { handle: (message: unknown, sender: MessageSender) => answer(message, sender, signal), ran };
}
const get = (ticket: unknown, more = {}) => ({
  ...{ deskside: 'profile.get', input: { ticket, refresh: false, maxAgeMs: 0, ...more } },
});
const start = { deskside: 'launcher.start', input: {} };
const company = { company_id: '1000069001', bitrix_id: '63001', expected_customer: '', reroute: false, adopt: null };
const sync = (deskside: string, change: object) => ({ deskside, input: { ticket: '2', ...company, ...change } });

test('a known verb from the helpdesk is handled, and its answer contains only what the protocol names', async () => {
  const { handle } = server({ ...speech, proxy: 'https://secret.example', apiKey: 'k:s' });
  expect(await handle(start, script)).toEqual({ output: speech });
  // If the browser gives no origin, the address of the sending document contains it.
  expect(await handle(start, { ...script, origin: undefined })).toEqual({ output: speech });
  const unfit = server({ ...speech, language: 'klingon' });
  expect(await unfit.handle(start, script)).toBeUndefined();
  expect(unfit.ran).toHaveLength(1);
});

test.each<[string, MessageSender, { helpdesk?: null }?]>([
  ['nothing known', {}],
  ['another extension', { ...script, id: 'other' }],
  ['no extension', { ...script, id: undefined }],
  ['no tab', { ...script, tab: undefined }],
  ['a tab without id', { ...script, tab: { url: ticketPage } }],
  ['a frame', { ...script, frameId: 3 }],
  ['no frame', { ...script, frameId: undefined }],
  ['another site', { ...script, origin: 'https://evil.example' }],
  ['a longer host', { ...script, origin: 'https://help.example.evil.example' }],
  ['another port', { ...script, origin: 'https://help.example:8443' }],
  ['another scheme', { ...script, origin: 'http://help.example' }],
  ['an opaque origin', { ...script, origin: 'null' }],
  ['another site without origin', { ...script, origin: undefined, url: 'https://evil.example/' }],
  ['no origin and an address that is none', { ...script, origin: undefined, url: 'help.example' }],
  ['no origin and no address', { ...script, origin: undefined, url: undefined }],
  ['an own page', page],
  ['no helpdesk granted', script, { helpdesk: null }],
])('as a content script, %s is refused', async (_, sender, own) => {
  const { handle, ran } = server(speech, own);
  expect(await handle(start, sender)).toBeUndefined();
  expect(ran).toEqual([]);
});

test.each<[string, MessageSender]>([
  ['nothing known', {}],
  ['another extension', { ...page, id: 'other' }],
  ['a content script', script],
  ['a content script of a look-alike address', { ...script, url: `${helpdesk}/chrome-extension://ext/` }],
  ['a page of an extension with a longer id', { ...page, url: 'chrome-extension://extra/options.html' }],
  ['a site that names our address', { ...page, origin: helpdesk }],
])('as an own page, %s is refused', async (_, sender) => {
  const { handle, ran } = server(null);
  const signIn = { deskside: 'options.signIn', input: {} };
  expect(await handle(signIn, sender)).toBeUndefined();
  expect(ran).toEqual([]);
  for (const own of [page, { ...page, origin: undefined, tab: { id: 8 } }])
    expect(await handle(signIn, own)).toEqual({ output: null });
});

test.each([
  ['an%40help.example', 'an@help.example'],
  ['Guest', ''],
  ['%E0%A4%A', ''],
  [undefined, ''],
])('a cookie user_id of %s means that "%s" asks', async (user, asks) => {
  const { handle, ran } = server();
  await handle({ ...get('2'), user }, script);
  expect(ran).toEqual([['profile.get', expect.anything(), { tabId: 7, tabUrl: ticketPage, user: asks, signal }]]);
});

test('the requested ticket must be the one that the tab shows', async () => {
  const { handle, ran } = server({ ok: false, error: { code: 'timeout' } });
  expect(await handle(get('2'), script)).toBeDefined();
  expect(await handle(get('3'), script)).toBeUndefined();
  const list = { ...script, tab: { id: 7, url: `${helpdesk}/helpdesk/tickets` } };
  expect(await handle(get('2'), list)).toBeUndefined();
  expect(ran).toHaveLength(1);
});

test('the extension’s own page of a customer may ask about the ticket in its address alone, for whom the helpdesk showed last', async () => {
  const { handle, ran } = server({ ok: false, error: { code: 'timeout' } });
  const url = 'chrome-extension://ext/customer.html?ticket=2';
  const own = { ...page, url, tab: { id: 8, url } };
  expect(await handle({ ...get('2'), user: 'somebody' }, own)).toBeDefined();
  expect(ran).toEqual([['profile.get', expect.anything(), { tabId: 8, tabUrl: url, user: 'an@help.example', signal }]]);
  // It need not be in a tab.
  expect(await handle(get('2'), { ...own, tab: undefined })).toBeDefined();
  expect(ran.splice(1)).toMatchObject([['profile.get', {}, { tabId: 0, tabUrl: url }]]);
  const others = [
    { ...own, url: 'chrome-extension://ext/customer.html?ticket=3' },
    { ...own, url: 'chrome-extension://ext/options.html?ticket=2' },
    { ...own, id: 'other' },
    { ...own, origin: helpdesk },
    { ...own, url: `${helpdesk}/customer.html?ticket=2` },
  ];
  for (const other of others) expect(await handle(get('2'), other)).toBeUndefined();
  expect(ran).toHaveLength(1);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['text', 'profile.get'],
  ['an unknown verb', { deskside: 'fetch', input: { url: 'https://evil.example' } }],
  ['an inherited name', { deskside: 'constructor', input: {} }],
  ['a prototype', { deskside: '__proto__', input: {} }],
  ['a verb that is no text', { deskside: ['panel.inject'], input: {} }],
  ['no input', { deskside: 'profile.get' }],
  ['a ticket that is a number', get(2)],
  ['an empty ticket', get('')],
  ['a user that is no text', { ...get('2'), user: 7 }],
  ['a user without end', { ...get('2'), user: 'x'.repeat(501) }],
  ['a ticket that is too long', get('x'.repeat(141))],
  ['a ticket with a control character', get('2\u0000')],
  ['an age that is no number', get('2', { maxAgeMs: '0' })],
  ['a sync of another ticket', sync('sync.apply', { ticket: '3' })],
  ['an undo for another ticket', { deskside: 'sync.undo', input: { ticket: '3', sync_id: 's' } }],
  ['a preview of another ticket', sync('sync.preview', { ticket: '3' })],
  ['a sync with a company id that is none', sync('sync.apply', { company_id: 'shop.example' })],
  ['a sync that names no company', sync('sync.apply', { bitrix_id: '' })],
  ['a sync with an endless company', sync('sync.apply', { bitrix_id: '1'.repeat(65) })],
  ['a sync with a control character', sync('sync.apply', { bitrix_id: '6\u00003' })],
  ['a sync that adopts no name', sync('sync.apply', { adopt: { name: 'Acme' } })],
  ['a rejection for another ticket', { deskside: 'company.undoRejection', input: { ticket: '3', rejection_id: 'r' } }],
  ['an undo of nothing', { deskside: 'sync.undo', input: { ticket: '2', sync_id: '' } }],
  ['a sync that names its action', { deskside: 'sync', input: { ticket: '2', action: 'apply' } }],
  ['the reasons of another ticket', { deskside: 'routing.get', input: { ticket: '3' } }],
  ['an address in place of a ticket', get({ url: 'https://evil.example' })],
  ['a verb of the own pages', { deskside: 'options.saveAddresses', input: { helpdesk: null, proxy: null } }],
])('from a content script, %s runs nothing and gets no answer', async (_, message) => {
  const { handle, ran } = server();
  expect(await handle(message, script)).toBeUndefined();
  expect(ran).toEqual([]);
});

test.each<[string, unknown]>([
  ['a content verb', { deskside: 'panel.inject', input: {} }],
  [
    'an insecure address',
    { deskside: 'options.saveAddresses', input: { helpdesk: 'http://evil.example', proxy: null } },
  ],
  [
    'an address with a path',
    { deskside: 'options.saveAddresses', input: { helpdesk: null, proxy: 'https://a.example/x' } },
  ],
])('from the options page, %s runs nothing', async (_, message) => {
  const { handle, ran } = server();
  expect(await handle(message, page)).toBeUndefined();
  expect(ran).toEqual([]);
});

test('the sender is checked before the input', async () => {
  const input = {
    get ticket(): never {
      throw new Error('read');
    },
  };
  const stranger = { ...script, origin: 'https://evil.example' };
  expect(await server().handle({ deskside: 'profile.get', input }, stranger)).toBeUndefined();
});

test('while the browser withholds the helpdesk, its page is told that and can have access asked for; nothing else runs', async () => {
  const { handle, ran } = server(speech, { helpdesk: null, withheld: helpdesk });
  expect(await handle(get('2'), script)).toEqual({ output: { ok: false, error: { code: 'access_withheld' } } });
  expect(await handle({ deskside: 'access.ask', input: {} }, script)).toEqual({ output: true });
  // Neither of these has such an answer.
  expect(await handle(start, script)).toBeUndefined();
  expect(await handle({ deskside: 'panel.inject', input: {} }, script)).toBeUndefined();
  const stranger = { ...script, url: 'https://evil.example/', origin: 'https://evil.example' };
  expect(await handle({ deskside: 'access.ask', input: {} }, stranger)).toBeUndefined();
  expect(ran).toEqual([]);
});

let valid: AbortController;
beforeEach(() => {
  valid = new AbortController();
});

/** A port over which a message comes. */
function connect(answer: () => Promise<{ output: unknown } | undefined>) {
  const port = { ...fakePort(), sender: script };
  const asked = vi.fn((_message: unknown, _sender: MessageSender, _signal: AbortSignal) => answer());
  servePort(port as never, asked, valid.signal);
  port.receive('asked');
  expect(asked).toHaveBeenCalledWith('asked', script, expect.anything());
  return { port, signal: asked.mock.calls[0]?.[2] };
}
const settled = () => new Promise((done) => setTimeout(done));

test.each<[string, () => Promise<{ output: unknown } | undefined>, unknown]>([
  ['an answer', async () => ({ output: 1 }), { output: 1 }],
  ['a dropped message', async () => undefined, null],
  ['a handler that fails', () => Promise.reject(new Error('x')), null],
])('over a port, %s is passed on', async (_, answer, passed) => {
  const { port } = connect(answer);
  await settled();
  expect(port.postMessage.mock.calls).toEqual([[passed]]);
});

test('a page that closes its port cancels what it asked for and nothing else; a late answer is dropped', async () => {
  const { promise, resolve } = Promise.withResolvers<{ output: unknown }>();
  const [left, stays] = [connect(() => promise), connect(() => promise)];
  left.port.end();
  expect([left.signal?.aborted, stays.signal?.aborted]).toEqual([true, false]);
  resolve({ output: 1 });
  await settled();
  expect(left.port.postMessage).not.toHaveBeenCalled();
  expect(stays.port.postMessage).toHaveBeenCalledWith({ output: 1 });
});

test('what may no longer be answered is cancelled, and its page told so, which asks again', async () => {
  const { promise, resolve } = Promise.withResolvers<{ output: unknown }>();
  const { port, signal } = connect(() => promise);
  valid.abort();
  expect(signal?.aborted).toBe(true);
  resolve({ output: 'of somebody else' });
  await settled();
  expect(port.postMessage).not.toHaveBeenCalled();
  expect(port.disconnect).toHaveBeenCalledOnce();
});

test('the browser is kept from ending the background for as long as a request takes', async () => {
  vi.useFakeTimers();
  const getPlatformInfo = vi.fn();
  Object.assign(browser.runtime, { getPlatformInfo });
  const { promise, resolve } = Promise.withResolvers<{ output: unknown }>();
  connect(() => promise);
  await vi.advanceTimersByTimeAsync(61_000);
  resolve({ output: 1 });
  await vi.advanceTimersByTimeAsync(61_000);
  expect(getPlatformInfo).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
