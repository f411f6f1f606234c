import { expect, test, vi } from 'vitest';
import { launcherTexts, statusTexts } from '#i18n/launcher.ts';
import type { ProfileResult } from '#messaging/protocol.ts';
import { defaultLayout } from '#settings/default-layout.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { contentHandlers } from './content-handlers.ts';

const user = 'an@help.example';
const caller = { tabId: 7, tabUrl: 'https://help.example/helpdesk/tickets/2', user };
const signedOut: ProfileResult & { ok: false } = { ok: false, error: { code: 'signed_out', requestId: null } };

function setUp(mayRefresh = true, maySync = true, mayFind = true) {
  const get = vi.fn(async () => signedOut);
  const profiles = { get, getSettled: get, cancel: vi.fn(), leave: vi.fn(), forget: vi.fn(), clear: vi.fn() };
  const syncs = {
    preview: vi.fn(async () => signedOut),
    apply: vi.fn(async () => signedOut),
    undo: vi.fn(async () => signedOut),
    reject: vi.fn(async () => signedOut),
    undoRejection: vi.fn(async () => signedOut),
    cancel: vi.fn(),
  };
  const reads = () => ({ get: vi.fn(async () => signedOut), cancel: vi.fn() });
  const [routing, around] = [reads(), reads()];
  const finds = { search: vi.fn(async () => signedOut), cancel: vi.fn(), leave: vi.fn(), clear: vi.fn() };
  const inject = vi.fn(async () => true);
  const [addCss, removeCss] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const learnLanguage = vi.fn(async () => {});
  const signIn = vi.fn(async () => 'signed_out' as const);
  const seen = vi.fn(async () => {});
  const note = vi.fn(async () => {});
  const lastProfiles = { of: vi.fn(async () => null), noting: vi.fn(() => note), keepOnly: vi.fn(async () => {}) };
  const layouts = { read: vi.fn(async () => defaultLayout), change: vi.fn(async () => {}) };
  const tellMissing = vi.fn(async () => {});
  const handlers = contentHandlers({
    tellMissing,
    profiles,
    session: { signIn, seen },
    lastProfiles,
    scripting: { inject, addCss, removeCss },
    syncs,
    routing,
    around,
    finds,
    mayFind: () => mayFind,
    mayRefresh: () => mayRefresh,
    maySync: () => maySync,
    language: async () => 'vi',
    learnLanguage,
    shortcut: async () => 'Alt+Shift+K',
    layouts,
    openOptions: async () => {},
  });
  return {
    ...{ handlers, profiles, syncs, routing, around, finds, inject, signIn, seen, note },
    ...{ tellMissing, learnLanguage, addCss, removeCss, lastProfiles, layouts },
  };
}
const ask = { ticket: '2', call: 'c', maxAgeMs: 5 };

test('a profile is requested for the tab that the browser reports and the person whom its page shows', async () => {
  const { handlers, profiles } = setUp();
  expect(await handlers['profile.get']({ ...ask, refresh: true }, caller)).toBe(signedOut);
  expect(profiles.get).toHaveBeenCalledWith({ ...ask, refresh: true, tabId: 7, user });
});

test('the customer of an answer is noted for whom the page shows, and no failure', async () => {
  const { handlers, profiles, lastProfiles, note } = setUp();
  await handlers['profile.get']({ ...ask, refresh: false }, caller);
  expect(lastProfiles.keepOnly).toHaveBeenCalledWith(user);
  expect(note).not.toHaveBeenCalled();
  profiles.get.mockResolvedValue({ ok: true, profile: sampleProfile(), receivedAt: 0 } as never);
  await handlers['profile.peek']({ ticket: '2' }, caller);
  expect(lastProfiles.noting).toHaveBeenLastCalledWith(user);
  expect(note).toHaveBeenCalledWith({ ok: true, profile: sampleProfile(), receivedAt: 0 });
});

test('a changed page is told of, but not one whose ticket could not be read', async () => {
  const { handlers, profiles, tellMissing } = setUp();
  const missing = { ticket: '2', anchor: 'ticket_header' } as const;
  expect(await handlers['page.anchorMissing'](missing, caller)).toBeNull();
  expect(tellMissing).not.toHaveBeenCalled();
  profiles.get.mockResolvedValue({ ok: true, profile: sampleProfile(), receivedAt: 0 } as never);
  expect(await handlers['page.anchorMissing'](missing, caller)).toBeNull();
  expect(tellMissing).toHaveBeenCalledWith('ticket_header', user);
});

test('a page without a ticket still ends what somebody else left behind', async () => {
  const { handlers, seen, lastProfiles } = setUp();
  expect(await handlers['session.seen']({}, caller)).toBeNull();
  expect(seen).toHaveBeenCalledWith(user);
  expect(lastProfiles.keepOnly).toHaveBeenCalledWith(user);
});

test('too many forced checks are refused without a request; plain reading is not', async () => {
  const { handlers, profiles } = setUp(false);
  const refused = await handlers['profile.get']({ ...ask, refresh: true }, caller);
  expect(refused).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  expect(profiles.get).not.toHaveBeenCalled();
  await handlers['profile.get']({ ...ask, refresh: false }, caller);
  expect(profiles.get).toHaveBeenCalledTimes(1);
});

test('a peek never forces a check, answers briefly in the language, and has the person’s own found out', async () => {
  const { handlers, profiles, learnLanguage } = setUp();
  const { tone, label } = await handlers['profile.peek']({ ticket: '2' }, caller);
  expect(profiles.get).toHaveBeenCalledWith(expect.objectContaining({ refresh: false, tabId: 7, user }));
  expect({ tone, label }).toEqual({ tone: 'neutral', label: statusTexts.vi.signedOut });
  expect(learnLanguage).toHaveBeenCalledWith(user);
});

test('too many syncs of one tab are refused without a request', async () => {
  const { handlers, syncs } = setUp(true, false);
  const company = { ticket: '2', companyId: null, bitrixId: '63001', adopt: null };
  const answers = await Promise.all([
    handlers['sync.preview']({ ...company, call: 'c' }, caller),
    handlers['sync.apply']({ ...company, expectedCustomer: null, moveTo: null }, caller),
    handlers['sync.undo']({ ticket: '2', syncId: 's' }, caller),
    handlers['company.reject']({ ...company, expectedCustomer: null, reason: { code: 'other', note: '' } }, caller),
    handlers['company.undoRejection']({ ticket: '2', rejectionId: 'r' }, caller),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  const verbs = [syncs.preview, syncs.apply, syncs.undo, syncs.reject, syncs.undoRejection];
  for (const verb of verbs) expect(verb).not.toHaveBeenCalled();
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

test.each(['routing', 'around'] as const)('%s is requested for the tab that the browser reports', async (part) => {
  const { handlers, ...parts } = setUp();
  expect(await handlers[`${part}.get`]({ ticket: '2', call: 'c' }, caller)).toBe(signedOut);
  expect(parts[part].get).toHaveBeenCalledWith({ ticket: '2', call: 'c', tabId: 7, user });
  await handlers[`${part}.cancel`]({ call: 'c' }, caller);
  expect(parts[part].cancel).toHaveBeenCalledWith(7, 'c');
});

test('a search is made for the tab that the browser reports, and not too often', async () => {
  const search = { ticket: '2', query: 'gốm', call: 'c' };
  const { handlers, finds } = setUp();
  expect(await handlers['find.search'](search, caller)).toBe(signedOut);
  expect(finds.search).toHaveBeenCalledWith({ ...search, tabId: 7, user });
  await handlers['find.cancel']({ call: 'c' }, caller);
  expect(finds.cancel).toHaveBeenCalledWith(7, 'c');
  const limited = setUp(true, true, false);
  expect(await limited.handlers['find.search'](search, caller)).toMatchObject({ error: { code: 'rate_limited' } });
  expect(limited.finds.search).not.toHaveBeenCalled();
});

test('cancelling and injecting act on the tab of the caller', async () => {
  const { handlers, profiles, inject } = setUp();
  await handlers['profile.cancel']({ call: 'c' }, caller);
  expect(profiles.cancel).toHaveBeenCalledWith(7, 'c');
  expect(await handlers['panel.inject']({}, caller)).toBe(true);
  expect(inject).toHaveBeenCalledWith(7, '/content-scripts/panel.js');
});

test('the launcher gets the language and its texts, and no address', async () => {
  const { handlers } = setUp();
  expect(await handlers['launcher.start']({}, caller)).toEqual({
    language: 'vi',
    texts: launcherTexts.vi,
    shortcut: 'Alt+Shift+K',
  });
  expect(await handlers['panel.start']({}, caller)).toEqual({
    ...{ language: 'vi', layout: defaultLayout, shortcut: 'Alt+Shift+K' },
  });
});

test('a panel that was left open is there again, and a docked one has its room before the page is drawn', async () => {
  const { handlers, layouts, inject, addCss, removeCss } = setUp();
  expect(await handlers['page.start']({ ticket: '2' }, caller)).toBeNull();
  await handlers['launcher.start']({}, caller);
  expect([inject.mock.calls, addCss.mock.calls]).toEqual([[], []]);
  layouts.read.mockResolvedValue({ ...defaultLayout, open: true });
  expect(await handlers['page.start']({ ticket: '2' }, caller)).toBeNull();
  await handlers['launcher.start']({}, caller);
  expect(inject).toHaveBeenCalledWith(7, '/content-scripts/panel.js');
  layouts.read.mockResolvedValue({ ...defaultLayout, open: true, docked: true, width: 500 });
  expect(await handlers['page.start']({ ticket: '2' }, caller)).toBe(500);
  expect(addCss).toHaveBeenCalledWith(7, expect.stringContaining('500px'));
  await handlers['dock.set']({ width: null, was: 500 }, caller);
  expect(removeCss.mock.calls).toEqual(addCss.mock.calls);
});

test('what was last seen of a ticket is that person’s, and every answer renews it', async () => {
  const { handlers, profiles, lastProfiles, note } = setUp();
  expect(await handlers['profile.last']({ ticket: '2' }, caller)).toBeNull();
  expect(lastProfiles.of).toHaveBeenCalledWith(user, '2');
  const answer = { ok: true as const, profile: sampleProfile(), receivedAt: 5 };
  profiles.get.mockResolvedValue(answer as never);
  await handlers['profile.get']({ ...ask, refresh: false }, caller);
  expect(lastProfiles.noting).toHaveBeenCalledWith(user);
  expect(note).toHaveBeenCalledWith(answer);
  await handlers['session.seen']({}, caller);
  expect(lastProfiles.keepOnly).toHaveBeenLastCalledWith(user);
});

test("the panel's layout is that of the person whom the page shows", async () => {
  const { handlers, layouts } = setUp();
  await handlers['layout.save']({ change: { docked: true } }, caller);
  expect(layouts.change).toHaveBeenCalledWith(user, { docked: true });
  await handlers['panel.start']({}, caller);
  expect(layouts.read).toHaveBeenCalledWith(user);
});

test('writes are made as the person whom the page shows', async () => {
  const { handlers, syncs } = setUp();
  await handlers['sync.apply'](
    { ticket: '2', companyId: null, bitrixId: '63001', adopt: null, expectedCustomer: null, moveTo: null },
    caller,
  );
  await handlers['sync.undo']({ ticket: '2', syncId: 's' }, caller);
  await handlers['company.undoRejection']({ ticket: '2', rejectionId: 'r' }, caller);
  for (const verb of [syncs.apply, syncs.undo, syncs.undoRejection])
    expect(verb).toHaveBeenCalledWith(expect.objectContaining({ user }));
});

test('a sign-in is for the person whom the page shows, and says why it failed', async () => {
  const { handlers, signIn } = setUp();
  expect(await handlers['session.signIn']({}, caller)).toBe('signed_out');
  expect(signIn).toHaveBeenCalledWith(user);
});
