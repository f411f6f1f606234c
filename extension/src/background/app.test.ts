import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { accessMissing, launcherTexts } from '#status/texts.ts';
import { answerFetch, installExtension, no, scripts, ticketPage, user, yes } from '#testing/fake-extension.ts';
import { fakePort } from '#testing/fake-port.ts';
import { helpdesk, proxy, discovery as sampleDiscovery, whoami } from '#testing/sample-connection.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import { createBackground } from './app.ts';

const ticketTab = { id: 7, url: ticketPage };
const launcher = { id: 'deskside', url: ticketPage, frameId: 0, tab: ticketTab };
const optionsPage = { id: 'deskside', url: 'chrome-extension://deskside/options.html' };
const discovery = { ...sampleDiscovery, helpdesk_url: `${helpdesk}/x` };
const profile = sampleProfile({ ticket: { name: '2' } });
const paths = {
  profile: '/api/method/platform_crm_customer_profile',
  sync: '/api/method/platform_crm_sync_ticket_customer',
  missing: '/api/extension/missing-anchor',
  discovery: '/.well-known/deskside',
};

let background: ReturnType<typeof createBackground>;
let answers: Parameters<typeof answerFetch>[0];
let sent: ReturnType<typeof answerFetch>;
const to = (path: string) => sent.filter((one) => one.path === path);
const ask = async <T = never>(verb: string, input: object = {}, sender: object = launcher, as = user) =>
  (await background.handle({ deskside: verb, input, user: encodeURIComponent(as) }, sender))?.output as T;
const options = (verb: string, input: object = {}) => ask(verb, input, optionsPage);
/** The browser gives no access to whatever begins with one of these. */
const withhold = (...addresses: string[]) =>
  vi
    .spyOn(fakeBrowser.permissions, 'contains')
    .mockImplementation(
      (async ({ origins }: { origins: string[] }) =>
        !origins.some((origin) => addresses.some((one) => origin.startsWith(one)))) as never,
    );
const failed = (code: string) => ({ ok: false, error: { code } });

beforeEach(async () => {
  vi.restoreAllMocks();
  await installExtension();
  answers = {
    [paths.profile]: () => yes(profile),
    '/api/whoami': () => yes(whoami),
    [paths.discovery]: () => yes(discovery),
  };
  sent = answerFetch(answers);
  background = createBackground();
});

test('launcher and options are there although the browser has not said what the policy is', async () => {
  vi.spyOn(fakeBrowser.storage.managed, 'get').mockReturnValue(new Promise(() => {}) as never);
  void background.learnPolicy();
  expect(await ask('launcher.start')).toMatchObject({ language: 'en', shortcut: 'Alt+Shift+K' });
  expect(await options('options.state')).toEqual({
    helpdesk: { value: helpdesk, lock: null, granted: true },
    proxy: { value: proxy, lock: null, granted: true },
    ...{ language: 'auto', spoken: 'en', languageLocked: false },
    ...{ shortcut: 'Alt+Shift+K', version: '1.2.3' },
  });
  await background.applySettings(false);
  expect(scripts.registered).toHaveLength(1);
});

test('the language that the proxy names is spoken in open pages at once, and a lead finds the Team page; from then on from the start', async () => {
  answers['/api/whoami'] = () => yes({ ...whoami, language: 'vi', is_manager: true });
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([ticketTab] as never);
  const told = vi.spyOn(fakeBrowser.tabs, 'sendMessage').mockResolvedValue(undefined as never);
  expect(await ask('launcher.start')).toMatchObject({ language: 'en', texts: { team: '' } });
  await ask('profile.peek', { ticket: '2' });
  const spoken = { deskside: 'language', language: 'vi', texts: launcherTexts.vi };
  await until(() => expect(told).toHaveBeenCalledWith(7, spoken, { frameId: 0 }));
  expect(await ask('launcher.start')).toMatchObject({ language: 'vi', texts: { team: 'Nhóm' } });
  await options('options.saveLanguage', { language: 'en' });
  await background.applySettings(false);
  expect(told).toHaveBeenLastCalledWith(7, expect.objectContaining({ language: 'en' }), { frameId: 0 });
});

test('whoever comes after a lead does not find the Team page, even where nobody says who they are', async () => {
  answers['/api/whoami'] = () => yes({ ...whoami, is_manager: true });
  const team = async () => (await ask<{ texts: { team: string } }>('launcher.start')).texts.team;
  await ask('profile.peek', { ticket: '2' });
  await until(async () => expect(await team()).toBe('Team'));
  answers['/api/whoami'] = () => no('internal', 500);
  await ask('profile.peek', { ticket: '2' }, launcher, 'binh@help.example');
  await until(async () => expect(await team()).toBe(''));
});

const company = { ticket: '2', company_id: '1000069001', bitrix_id: '63001' };
const applied = { ...company, adopt: 'Acme', expected_customer: 'Shop', reroute: true };
const rejected = { ...company, expected_customer: '', reason: 'wrong_id', note: 'x' };
const reads: [verb: string, input: object, path: string, sent: object][] = [
  ['profile.get', { ticket: '2', refresh: true, maxAgeMs: 0 }, paths.profile, { ticket: '2', refresh: 'true' }],
  ['profile.known', { ticket: '2' }, paths.profile, { ticket: '2', known: 'true' }],
  ['routing.get', { ticket: '2' }, '/api/routing/decisions', { ticket: '2' }],
  ['around.get', { ticket: '2' }, '/api/customer/tickets', { ticket: '2' }],
  ['find.search', { ticket: '2', query: 'gốm' }, '/api/companies/find', { ticket: '2', query: 'gốm' }],
  ['find.search', { ticket: '2', query: null }, '/api/companies/find', { ticket: '2' }],
  ['sync.preview', { ...company, adopt: 'Acme' }, paths.sync, { ...company, adopt: 'Acme', action: 'preview' }],
];
const writes: typeof reads = [
  ['sync.apply', applied, paths.sync, { ...applied, action: 'apply' }],
  ['sync.undo', { ticket: '2', sync_id: 's1' }, paths.sync, { ticket: '2', sync_id: 's1', action: 'undo' }],
  [...(['company.reject', rejected, '/api/customer/rejections'] as const), { ...rejected, action: 'reject' }],
  [
    ...(['company.undoRejection', { ticket: '2', rejection_id: 'r1' }, '/api/customer/rejections'] as const),
    { ticket: '2', rejection_id: 'r1', action: 'undo' },
  ],
];

test.each([...reads, ...writes])(
  '%s with %j is asked once, as the person whom the page shows, and why it failed is passed on',
  async (verb, input, path, expected) => {
    answers[path] = () => no('ticket_not_readable', 403);
    expect(await ask(verb, input)).toEqual(failed('ticket_not_readable'));
    expect(to(path)).toMatchObject([{ input: expected, authorization: 'Bearer t1' }]);
  },
);

test('every other tab is told of a write, whatever its result', async () => {
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([ticketTab, { id: 8 }, { id: 9 }] as never);
  const told = vi.spyOn(fakeBrowser.tabs, 'sendMessage').mockResolvedValue(undefined as never);
  for (const [verb, input, path] of writes) {
    told.mockClear();
    answers[path] = () => no('helpdesk_timeout', 504);
    await ask(verb, input);
    const message = { deskside: 'written', ticket: '2' };
    await until(() => expect(told.mock.calls).toEqual([8, 9].map((tab) => [tab, message, { frameId: 0 }])));
  }
});

test('a write runs to its end whatever happens, and what was answered of its ticket before is not given again', async () => {
  const get = (maxAgeMs: number) => ask('profile.get', { ticket: '2', refresh: false, maxAgeMs });
  expect(await get(0)).toEqual({ ok: true, data: profile });
  await get(60_000);
  expect(to(paths.profile)).toHaveLength(1);
  for (const [nth, [verb, input, path]] of writes.entries()) {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers[path] = () => promise;
    const writing = ask(verb, input);
    await until(() => expect(sent.at(-1)?.path).toBe(path));
    const { signal } = sent.at(-1)?.init ?? {};
    await options('options.saveAddresses', { helpdesk, proxy });
    expect(signal?.aborted).toBe(false);
    await get(0);
    resolve(no('helpdesk_timeout', 504));
    expect(await writing).toEqual(failed('helpdesk_timeout'));
    await get(60_000);
    expect(to(paths.profile)).toHaveLength(2 * nth + 3);
  }
});

test.each([
  ['profile.get', { ticket: '2', refresh: true, maxAgeMs: 0 }, paths.profile, 6],
  ['find.search', { ticket: '2', query: 'gốm' }, '/api/companies/find', 10],
  ['sync.preview', { ...company, adopt: null }, paths.sync, 12],
  ['sync.apply', applied, paths.sync, 12],
  ['company.undoRejection', { ticket: '2', rejection_id: 'r1' }, '/api/customer/rejections', 12],
])('%s is refused without a request once a tab has asked too often', async (verb, input, path, most) => {
  for (let left = most; left > 0; left -= 1) await ask(verb, input);
  expect(await ask(verb, input)).toEqual(failed('rate_limited'));
  expect(to(path)).toHaveLength(most);
  expect(await ask('profile.get', { ticket: '2', refresh: false, maxAgeMs: 60_000 })).toMatchObject({ ok: true });
});

test('the sender’s company is searched however often its ticket is opened', async () => {
  const byTheSender = { ticket: '2', query: null };
  for (let left = 20; left > 0; left -= 1)
    expect(await ask('find.search', byTheSender)).not.toEqual(failed('rate_limited'));
});

test('a peek never forces a check, and answers briefly in the language', async () => {
  await options('options.saveLanguage', { language: 'vi' });
  expect(await ask('profile.peek', { ticket: '2' })).toEqual({ tone: 'ok', label: 'Đã xác minh' });
  expect(to(paths.profile)[0]?.input).toEqual({ ticket: '2', refresh: 'false' });
  answers[paths.profile] = () => no('helpdesk_timeout', 504);
  expect(
    await ask('profile.peek', { ticket: '3' }, { ...launcher, tab: { id: 7, url: ticketPage.replace(/2$/, '3') } }),
  ).toMatchObject({ isFailure: true });
});

test('a changed page is told of by name and version alone, once, and not where its ticket cannot be read; the operator may have named where it is now', async () => {
  const selectors = { ticket_header: ['.head'] };
  answers[paths.discovery] = () => yes({ ...discovery, page_anchors: selectors });
  answers[paths.profile] = () => no('ticket_not_readable', 403);
  const missing = () => ask('page.anchorMissing', { ticket: '2', anchor: 'ticket_header' });
  await missing();
  expect([to(paths.missing), to(paths.discovery)]).toEqual([[], []]);
  expect(to(paths.profile)).toMatchObject([{ input: { ticket: '2', refresh: 'false' } }]);
  answers[paths.profile] = () => yes(profile);
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([ticketTab] as never);
  const told = vi.spyOn(fakeBrowser.tabs, 'sendMessage').mockResolvedValue(undefined as never);
  await missing();
  await missing();
  expect(to(paths.missing).map(({ input }) => input)).toEqual([{ anchor: 'ticket_header', extension: '1.2.3' }]);
  expect(told.mock.calls).toEqual([[7, { deskside: 'anchors', anchors: selectors }, { frameId: 0 }]]);
  expect(await ask('launcher.start')).toMatchObject({ anchors: selectors });
  // Another proxy's are never used.
  await options('options.saveAddresses', { helpdesk, proxy: 'https://other.example' });
  expect(await ask('launcher.start')).toHaveProperty('anchors', {});
});

test('a page without a ticket still ends what somebody else left behind', async () => {
  await ask('profile.get', { ticket: '2', refresh: false, maxAgeMs: 0 });
  expect(await ask('profile.last', { ticket: '2' })).toMatchObject({ profile: { ticket: { name: '2' } } });
  expect(await ask('session.seen', {}, launcher, 'binh@help.example')).toBeNull();
  expect(JSON.stringify(await fakeBrowser.storage.session.get())).not.toMatch(/"t1"|Tiệm Hoa Mẫu/);
  expect(await ask('profile.last', { ticket: '2' })).toBeNull();
});

test('the panel is injected where it is asked for, and by itself for an agent who left it open; the layout is theirs', async () => {
  expect(await ask('panel.inject')).toBe(true);
  await ask('launcher.start');
  // Only Firefox needs a rule for the launcher.
  expect(fakeBrowser.scripting.insertCSS).not.toHaveBeenCalled();
  expect(scripts.ran.splice(0)).toEqual(['/panel.js 7']);
  expect(await ask('layout.save', { change: { open: true } })).toBeNull();
  await ask('launcher.start');
  expect(scripts.ran).toEqual(['/panel.js 7']);
  expect(await ask('panel.start')).toEqual({ language: 'en', layout: { open: true }, shortcut: 'Alt+Shift+K' });
  expect(await ask('panel.start', {}, launcher, 'binh@help.example')).toMatchObject({ layout: { open: false } });
});

test('the Team page, a customer’s page and the settings are opened for whoever asks', async () => {
  const opened = vi.spyOn(fakeBrowser.tabs, 'create').mockResolvedValue({} as never);
  expect(await ask('team.open')).toBeNull();
  expect(await ask('customer.open', { ticket: '2' })).toBeNull();
  expect(opened.mock.calls).toEqual([[{ url: '/team.html' }], [{ url: '/customer.html?ticket=2' }]]);
  expect(await ask('access.ask')).toBe(false);
  expect(fakeBrowser.runtime.openOptionsPage).not.toHaveBeenCalled();
  expect(await ask('options.open')).toBeNull();
  expect(fakeBrowser.runtime.openOptionsPage).toHaveBeenCalledOnce();
});

test('an installation opens the settings where there is something to set or to grant, and only there', async () => {
  await background.installed();
  expect(fakeBrowser.runtime.openOptionsPage).not.toHaveBeenCalled();
  withhold(proxy);
  await background.installed();
  expect(fakeBrowser.runtime.openOptionsPage).toHaveBeenCalledOnce();
});

const another = { helpdesk_url: helpdesk, proxy_url: 'https://other.example' };
test.each<[string, () => Promise<unknown>]>([
  ['a sign-out', () => options('options.signOut')],
  ['a sign-in from the settings', () => options('options.signIn')],
  ['another address', () => options('options.saveAddresses', { helpdesk, proxy: 'https://other.example' })],
  [
    'another policy',
    () => {
      vi.spyOn(fakeBrowser.storage.managed, 'get').mockResolvedValue(another as never);
      return background.learnPolicy();
    },
  ],
])(
  '%s ends what is being asked for and what was answered; another language or the same policy does not',
  async (_, change) => {
    answers['/api/routing/decisions'] = () => new Promise(() => {});
    await ask('profile.get', { ticket: '2', refresh: false, maxAgeMs: 0 });
    const asking = ask('routing.get', { ticket: '2' });
    await until(() => expect(to('/api/routing/decisions')).toHaveLength(1));
    const { signal } = to('/api/routing/decisions')[0]?.init ?? {};
    await options('options.saveLanguage', { language: 'vi' });
    await background.learnPolicy();
    expect([signal?.aborted, await ask('profile.last', { ticket: '2' })]).toEqual([false, expect.anything()]);
    await change();
    expect([signal?.aborted, await ask('profile.last', { ticket: '2' })]).toEqual([true, null]);
    void asking;
  },
);

test('what somebody saw is cleared once anybody else asks, whatever they ask for', async () => {
  await ask('profile.get', { ticket: '2', refresh: false, maxAgeMs: 0 });
  expect(await ask('routing.get', { ticket: '2' }, launcher, 'binh@help.example')).toEqual(failed('signed_out'));
  await until(async () => expect(await fakeBrowser.storage.session.get('lastProfiles')).toEqual({}));
});

test('the page of a customer asks as the person whom the helpdesk showed last, and as nobody before', async () => {
  const page = { id: 'deskside', url: 'chrome-extension://deskside/customer.html?ticket=2' };
  const read = () => ask('profile.get', { ticket: '2', refresh: false, maxAgeMs: 0 }, page, 'binh@help.example');
  await ask('profile.peek', { ticket: '2' });
  await until(async () => expect(await fakeBrowser.storage.local.get('person')).toMatchObject({ person: { user } }));
  expect(await read()).toEqual({ ok: true, data: profile });
  await fakeBrowser.storage.local.remove('person');
  expect(await read()).toEqual(failed('signed_out'));
});

test('while the helpdesk is withheld its page is told so and nothing else, and may have the settings opened', async () => {
  withhold(helpdesk);
  expect(await ask('profile.get', { ticket: '2', refresh: false, maxAgeMs: 0 })).toEqual(failed('access_withheld'));
  expect(await ask('profile.peek', { ticket: '2' })).toMatchObject({ tone: 'warn' });
  expect(fakeBrowser.runtime.openOptionsPage).not.toHaveBeenCalled();
  expect(await ask('access.ask')).toBe(true);
  expect(fakeBrowser.runtime.openOptionsPage).toHaveBeenCalledOnce();
  expect(sent).toEqual([]);
});

test('a request over a port is answered there', async () => {
  const port = { ...fakePort(), sender: launcher };
  background.connected(port as never);
  port.receive({ deskside: 'profile.last', input: { ticket: '2' }, user });
  await until(() => expect(port.postMessage).toHaveBeenCalledWith({ output: null }));
});

test.each([
  ['nothing is withheld', [], '', 'Deskside'],
  ['the helpdesk is withheld', [helpdesk], '!', accessMissing.en],
  ['the proxy is withheld', [proxy], '!', accessMissing.en],
])('where %s, the toolbar button says so', async (_, withheld, text, title) => {
  withhold(...withheld);
  await background.applySettings(false);
  expect(fakeBrowser.action.setBadgeText).toHaveBeenLastCalledWith({ text });
  expect(fakeBrowser.action.setTitle).toHaveBeenLastCalledWith({ title });
  // What is not set needs no access.
  await options('options.saveAddresses', { helpdesk: null, proxy: null });
  await background.applySettings(false);
  expect(fakeBrowser.action.setBadgeText).toHaveBeenLastCalledWith({ text: '' });
});

test('the toolbar button opens the panel on a ticket, the settings elsewhere', async () => {
  const told = vi.spyOn(fakeBrowser.tabs, 'sendMessage').mockResolvedValue(undefined as never);
  await background.clicked(ticketTab);
  expect([told.mock.calls.length, fakeBrowser.runtime.openOptionsPage]).toEqual([1, expect.anything()]);
  expect(fakeBrowser.runtime.openOptionsPage).not.toHaveBeenCalled();
  await background.clicked({ id: 8, url: 'https://elsewhere.example/' });
  expect(fakeBrowser.runtime.openOptionsPage).toHaveBeenCalledOnce();
});

test('what the policy sets is locked', async () => {
  vi.spyOn(fakeBrowser.storage.managed, 'get').mockResolvedValue({ ...another, language: 'vi' } as never);
  await background.learnPolicy();
  const lock = { lock: 'policy' };
  expect(await options('options.state')).toMatchObject({ languageLocked: true, language: 'vi', proxy: lock });
});

test.each([
  ['team.today', { from: 1, to: 2 }, '/api/routing/today', { from: '1', to: '2' }],
  ['team.decisions', { ticket: '2' }, '/api/routing/decisions', { ticket: '2' }],
])('%s is asked as the person whose token is there', async (verb, input, path, expected) => {
  answers[path] = () => no('not_a_lead', 403);
  expect(await options(verb, input)).toMatchObject({ ok: false });
  expect(to(path)).toMatchObject([{ input: expected, authorization: 'Bearer t1' }]);
});

test.each<[string, object, () => Response, string]>([
  ['no proxy is set', { proxy: null }, () => yes(discovery), 'not_configured'],
  ['no helpdesk is set', { helpdesk: null }, () => yes(discovery), 'not_configured'],
  ['the proxy has no client', {}, () => yes({ ...discovery, oauth_client_ids: {} }), 'not_configured'],
  ['something else answers', {}, () => new Response('<html>'), 'bad_answer'],
])('a sign-in where %s opens no window', async (_, change, answer, code) => {
  const launched = vi.spyOn(fakeBrowser.identity, 'launchWebAuthFlow');
  answers[paths.discovery] = answer;
  await options('options.saveAddresses', { helpdesk, proxy, ...change });
  expect(await options('options.signIn')).toBe(code);
  expect(launched).not.toHaveBeenCalled();
});

test('a sign-in says why it failed', async () => {
  await options('options.signOut');
  expect(await ask('session.signIn')).toBe('signed_out');
  expect(await options('options.signIn')).toBe('signed_out');
});

test.each([
  ['an agent', {}, { canSignIn: true, whoami: { ok: true } }],
  ['somebody else', { '/api/whoami': () => no('not_an_agent', 403) }, { whoami: failed('not_an_agent') }],
  [
    'a proxy without a client for this browser',
    { [paths.discovery]: () => yes({ ...discovery, oauth_client_ids: { firefox: 'c' } }) },
    { canSignIn: false },
  ],
  [
    'something else than the proxy',
    { [paths.discovery]: () => new Response('<html>') },
    { discovery: failed('bad_answer'), canSignIn: false, whoami: null },
  ],
])('a test of the connection checks the proxy first and then the account: %s', async (_, change, found) => {
  Object.assign(answers, change);
  expect(await options('options.test')).toMatchObject(found);
});

test('a test of the connection without a proxy asks nobody', async () => {
  await options('options.saveAddresses', { helpdesk, proxy: null });
  const none = { discovery: failed('not_configured'), canSignIn: false, whoami: null };
  expect([await options('options.test'), sent]).toEqual([none, []]);
});

test('the helpdesk is the one that the proxy names, as an origin; an address that is not safe is not followed', async () => {
  const find = () => options('welcome.find', { proxy });
  expect(await find()).toEqual({ ok: true, data: { proxy, helpdesk } });
  for (const url of ['http://help.example', 'javascript:alert(1)', 'https://user:secret@help.example', '']) {
    answers[paths.discovery] = () => yes({ ...discovery, helpdesk_url: url });
    expect(await find(), url).toEqual({ ok: true, data: { proxy, helpdesk: null } });
  }
});

test('a server that answers with something else is told apart from one that does not answer', async () => {
  const find = () => options('welcome.find', { proxy });
  answers[paths.discovery] = () => new Response('<html>');
  expect(await find()).toEqual(failed('bad_answer'));
  answers['/'] = () => new Response();
  answers[paths.discovery] = () => no('internal', 500);
  expect(await find()).toEqual(failed('internal'));
  // It lets nobody read its answer.
  answers[paths.discovery] = () => Promise.reject(new TypeError('Failed to fetch'));
  answers['/'] = () => new Response();
  expect(await find()).toEqual(failed('bad_answer'));
  answers['/'] = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await find()).toEqual(failed('unreachable'));
});
