import { expect, test, vi } from 'vitest';
import { launcherTexts } from '#i18n/launcher.ts';
import type { ProfileResult } from '#messaging/protocol.ts';
import { contentHandlers } from './content-handlers.ts';

const user = 'an@help.example';
const caller = { tabId: 7, tabUrl: 'https://help.example/helpdesk/tickets/2', user };
const signedOut: ProfileResult & { ok: false } = { ok: false, error: { code: 'signed_out', requestId: null } };

function setUp(mayRefresh = true, maySync = true) {
  const get = vi.fn(async () => signedOut);
  const profiles = { get, getSettled: get, cancel: vi.fn(), leave: vi.fn(), forget: vi.fn(), clear: vi.fn() };
  const syncs = {
    preview: vi.fn(async () => signedOut),
    apply: vi.fn(async () => signedOut),
    undo: vi.fn(async () => signedOut),
    cancel: vi.fn(),
  };
  const routing = { get: vi.fn(async () => signedOut), cancel: vi.fn(), leave: vi.fn(), clear: vi.fn() };
  const inject = vi.fn(async () => true);
  const signIn = vi.fn(async () => 'signed_out' as const);
  const handlers = contentHandlers({
    profiles,
    session: { signIn },
    scripting: { inject },
    syncs,
    routing,
    mayRefresh: () => mayRefresh,
    maySync: () => maySync,
    settings: async () => ({ language: 'vi' }),
    language: async (pageLanguage) => (pageLanguage === 'vi' ? 'vi' : 'en'),
    shortcut: async () => 'Alt+Shift+C',
    openOptions: async () => {},
  });
  return { handlers, profiles, syncs, routing, inject, signIn };
}
const ask = { ticket: '2', call: 'c', maxAgeMs: 5 };

test('a profile is requested for the tab that the browser reports and the person whom its page shows', async () => {
  const { handlers, profiles } = setUp();
  expect(await handlers['profile.get']({ ...ask, refresh: true }, caller)).toBe(signedOut);
  expect(profiles.get).toHaveBeenCalledWith({ ...ask, refresh: true, tabId: 7, user });
});

test('too many forced checks are refused without a request; plain reading is not', async () => {
  const { handlers, profiles } = setUp(false);
  const refused = await handlers['profile.get']({ ...ask, refresh: true }, caller);
  expect(refused).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  expect(profiles.get).not.toHaveBeenCalled();
  await handlers['profile.get']({ ...ask, refresh: false }, caller);
  expect(profiles.get).toHaveBeenCalledTimes(1);
});

test('a peek never forces a check, and answers briefly in the language of the page', async () => {
  const { handlers, profiles } = setUp();
  const [en, vi] = await Promise.all([
    handlers['profile.peek']({ ticket: '2', language: 'en' }, caller),
    handlers['profile.peek']({ ticket: '2', language: 'vi' }, caller),
  ]);
  expect(profiles.get).toHaveBeenCalledWith(expect.objectContaining({ refresh: false, tabId: 7, user }));
  expect(en.tone).toBe('neutral');
  expect(en.label).not.toBe(vi.label);
});

test('too many syncs of one tab are refused without a request', async () => {
  const { handlers, syncs } = setUp(true, false);
  const company = { ticket: '2', companyId: null, bitrixId: '63001', adopt: null };
  const answers = await Promise.all([
    handlers['sync.preview']({ ...company, call: 'c' }, caller),
    handlers['sync.apply']({ ...company, expectedCustomer: null }, caller),
    handlers['sync.undo']({ ticket: '2', syncId: 's' }, caller),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  for (const verb of [syncs.preview, syncs.apply, syncs.undo]) expect(verb).not.toHaveBeenCalled();
});

test('a preview belongs to the tab that the browser reports', async () => {
  const { handlers, syncs } = setUp();
  await handlers['sync.preview']({ ticket: '2', companyId: null, bitrixId: '63001', adopt: null, call: 'c' }, caller);
  expect(syncs.preview).toHaveBeenCalledWith({
    ticket: '2',
    companyId: null,
    bitrixId: '63001',
    adopt: null,
    call: 'c',
    tabId: 7,
    user,
  });
  await handlers['sync.cancel']({ call: 'c' }, caller);
  expect(syncs.cancel).toHaveBeenCalledWith(7, 'c');
});

test('routing decisions are requested for the tab that the browser reports', async () => {
  const { handlers, routing } = setUp();
  expect(await handlers['routing.get']({ ticket: '2', call: 'c' }, caller)).toBe(signedOut);
  expect(routing.get).toHaveBeenCalledWith({ ticket: '2', call: 'c', tabId: 7, user });
  await handlers['routing.cancel']({ call: 'c' }, caller);
  expect(routing.cancel).toHaveBeenCalledWith(7, 'c');
});

test('cancelling and injecting act on the tab of the caller', async () => {
  const { handlers, profiles, inject } = setUp();
  await handlers['profile.cancel']({ call: 'c' }, caller);
  expect(profiles.cancel).toHaveBeenCalledWith(7, 'c');
  expect(await handlers['panel.inject']({}, caller)).toBe(true);
  expect(inject).toHaveBeenCalledWith(7, '/content-scripts/panel.js');
});

test('the launcher gets its texts, the panel its settings, neither gets an address', async () => {
  const { handlers } = setUp();
  expect(await handlers['launcher.start']({ pageLanguage: 'vi' }, caller)).toEqual({
    language: 'vi',
    texts: launcherTexts.vi,
  });
  expect(await handlers['panel.settings']({}, caller)).toEqual({ language: 'vi', shortcut: 'Alt+Shift+C' });
});

test('writes are made as the person whom the page shows', async () => {
  const { handlers, syncs } = setUp();
  await handlers['sync.apply'](
    { ticket: '2', companyId: null, bitrixId: '63001', adopt: null, expectedCustomer: null },
    caller,
  );
  await handlers['sync.undo']({ ticket: '2', syncId: 's' }, caller);
  for (const verb of [syncs.apply, syncs.undo]) expect(verb).toHaveBeenCalledWith(expect.objectContaining({ user }));
});

test('a sign-in is for the person whom the page shows, and says why it failed', async () => {
  const { handlers, signIn } = setUp();
  expect(await handlers['session.signIn']({}, caller)).toBe('signed_out');
  expect(signIn).toHaveBeenCalledWith(user);
});
