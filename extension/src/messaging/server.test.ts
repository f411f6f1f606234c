import { expect, test } from 'vitest';
import { type ContentHandlers, createServer, type PageHandlers, type Sender } from './server.ts';

const ticketPage = 'https://help.example/helpdesk/tickets/2';
const texts = { open: 'o', actions: 'a', refresh: 'r', sync: 's', reload: 'l', team: 't' };
const speech = { language: 'vi', texts, shortcut: null, anchors: {} };
const script: Sender = {
  id: 'ext',
  url: ticketPage,
  origin: 'https://help.example',
  frameId: 0,
  tab: { id: 7, url: ticketPage },
};
const page: Sender = { id: 'ext', url: 'chrome-extension://ext/options.html', origin: 'chrome-extension://ext' };

const { signal } = new AbortController();

function server(output: unknown = speech, isWithheld = false) {
  const ran: unknown[] = [];
  const handlers = new Proxy(
    {},
    {
      get:
        (_, verb) =>
        async (...args: unknown[]) =>
          ran.push([verb, ...args]) && output,
    },
  );
  const answer = createServer({
    content: handlers as ContentHandlers,
    page: handlers as PageHandlers,
    own: async () => ({
      id: 'ext',
      pages: 'chrome-extension://ext/',
      helpdesk: isWithheld ? null : 'https://help.example',
      withheld: isWithheld ? 'https://help.example' : null,
    }),
    withheld: async (verb) => (verb === 'access.ask' ? true : { ok: false, error: { code: 'access_withheld' } }),
    showsTicket: async ({ tabUrl }, ticket) => tabUrl === `https://help.example/helpdesk/tickets/${ticket}`,
  });
  const handle = (message: unknown, sender: Sender) => answer(message, sender, signal);
  return { handle, ran };
}
const get = (ticket: unknown, more = {}) => ({
  deskside: 'profile.get',
  input: { ticket, refresh: false, maxAgeMs: 0, ...more },
});
const sync = (deskside: string, change: object) => ({
  deskside,
  input: {
    ticket: '2',
    companyId: '1000069001',
    bitrixId: '63001',
    expectedCustomer: null,
    reroute: false,
    adopt: null,
    ...change,
  },
});

test('a known verb from the helpdesk is handled, and its answer contains only what the protocol names', async () => {
  const { handle } = server({ ...speech, proxy: 'https://secret.example', apiKey: 'k:s' });
  expect(await handle({ deskside: 'launcher.start', input: {} }, script)).toEqual({ output: speech });
});

test.each([
  ['an%40help.example', 'an@help.example'],
  ['Guest', ''],
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
  expect(
    await handle(get('2'), { ...script, tab: { id: 7, url: 'https://help.example/helpdesk/tickets' } }),
  ).toBeUndefined();
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
  ['an undo for another ticket', { deskside: 'sync.undo', input: { ticket: '3', syncId: 's' } }],
  ['a preview of another ticket', sync('sync.preview', { ticket: '3' })],
  ['a sync with a company id that is none', sync('sync.apply', { companyId: 'shop.example' })],
  ['a sync that names no company', sync('sync.apply', { bitrixId: '' })],
  ['a sync with an endless company', sync('sync.apply', { bitrixId: '1'.repeat(65) })],
  ['a sync that adopts no name', sync('sync.apply', { adopt: { name: 'Acme' } })],
  ['a rejection for another ticket', { deskside: 'company.undoRejection', input: { ticket: '3', rejectionId: 'r' } }],
  ['an undo of nothing', { deskside: 'sync.undo', input: { ticket: '2', syncId: '' } }],
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

test('an answer that does not fit the protocol is held back', async () => {
  const { handle, ran } = server({ ...speech, language: 'klingon' });
  expect(await handle({ deskside: 'launcher.start', input: {} }, script)).toBeUndefined();
  expect(ran).toHaveLength(1);
});

test('the sender is checked before the input', async () => {
  const { handle } = server();
  const input = {
    get ticket(): never {
      throw new Error('read');
    },
  };
  const stranger = { ...script, origin: 'https://evil.example' };
  expect(await handle({ deskside: 'profile.get', input }, stranger)).toBeUndefined();
});

test('while the browser withholds the helpdesk, its page is told that and can have access asked for; nothing else runs', async () => {
  const { handle, ran } = server(speech, true);
  expect(await handle(get('2'), script)).toEqual({ output: { ok: false, error: { code: 'access_withheld' } } });
  expect(await handle({ deskside: 'access.ask', input: {} }, script)).toEqual({ output: true });
  // Neither of these has such an answer.
  expect(await handle({ deskside: 'launcher.start', input: {} }, script)).toBeUndefined();
  expect(await handle({ deskside: 'panel.inject', input: {} }, script)).toBeUndefined();
  const stranger = { ...script, url: 'https://evil.example/', origin: 'https://evil.example' };
  expect(await handle({ deskside: 'access.ask', input: {} }, stranger)).toBeUndefined();
  expect(ran).toEqual([]);
});
