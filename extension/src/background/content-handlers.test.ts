import type { OrgId } from '@deskside/shared/orgid';
import type { ProfileData } from '@deskside/shared/profile';
import { expect, test, vi } from 'vitest';
import { launcherTexts, statusTexts } from '#launcher/texts.ts';
import { defaultLayout } from '#messaging/default-layout.ts';
import type { Result } from '#messaging/protocol.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { contentHandlers } from './content-handlers.ts';

const user = 'an@help.example';
const { signal } = new AbortController();
const caller = { tabId: 7, tabUrl: 'https://help.example/helpdesk/tickets/2', user, signal };
const signedOut: Result<never> = { ok: false, error: { code: 'signed_out' } };
const read: Result<ProfileData> = { ok: true, data: sampleProfile() };

function setUp(mayRefresh = true, maySync = true, mayFind = true) {
  const get = vi.fn(async (): Promise<Result<ProfileData>> => signedOut);
  const [last, forget, keepOnly] = [vi.fn(async () => null), vi.fn(async () => {}), vi.fn(async () => {})];
  const profiles = { get, getSettled: get, last, forget, keepOnly };
  const call = vi.fn(async (_endpoint: string, _input: object, _signal: AbortSignal, _user: string) => signedOut);
  const inject = vi.fn(async () => true);
  const addCss = vi.fn(async () => {});
  const learnLanguage = vi.fn(async () => {});
  const signIn = vi.fn(async () => 'signed_out' as const);
  const seen = vi.fn(async () => {});
  const layouts = { read: vi.fn(async () => defaultLayout), change: vi.fn(async () => {}) };
  const tellMissing = vi.fn(async () => {});
  const anchors = { known: vi.fn(async () => ({ ticket_header: ['header'] })), ask: vi.fn(async () => {}) };
  const openTeam = vi.fn(async () => {});
  const handlers = contentHandlers({
    tellMissing,
    call: call as never,
    profiles,
    session: { signIn, seen },
    scripting: { inject, addCss },
    mayFind: () => mayFind,
    mayRefresh: () => mayRefresh,
    maySync: () => maySync,
    language: async () => 'vi',
    speech: async () => ({ language: 'vi', texts: launcherTexts.vi }),
    learnLanguage,
    shortcut: async () => 'Alt+Shift+K',
    layouts,
    anchors,
    openOptions: async () => {},
    openTeam,
  });
  const spies = { tellMissing, learnLanguage, layouts, anchors, openTeam };
  return { handlers, call, profiles, inject, signIn, seen, ...spies };
}
const ask = { ticket: '2', maxAgeMs: 5 };
const company = { ticket: '2', companyId: '1000069001' as OrgId, bitrixId: '63001', adopt: 'Acme' };
const named = { ticket: '2', company_id: '1000069001', bitrix_id: '63001' };
const reason = { code: 'wrong_id' as const, note: 'x' };

test('a profile is requested for the tab that the browser reports and the person whom its page shows', async () => {
  const { handlers, profiles } = setUp();
  expect(await handlers['profile.get']({ ...ask, refresh: true }, caller)).toBe(signedOut);
  expect(profiles.get).toHaveBeenCalledWith({ ...ask, refresh: true, user }, signal);
});

test('a changed page is told of, but not one whose ticket could not be read', async () => {
  const { handlers, profiles, tellMissing, anchors } = setUp();
  const missing = { ticket: '2', anchor: 'ticket_header' } as const;
  expect(await handlers['page.anchorMissing'](missing, caller)).toBeNull();
  expect(tellMissing).not.toHaveBeenCalled();
  expect(anchors.ask).not.toHaveBeenCalled();
  profiles.get.mockResolvedValue(read);
  expect(await handlers['page.anchorMissing'](missing, caller)).toBeNull();
  expect(tellMissing).toHaveBeenCalledWith('ticket_header', user);
  // The operator may have named where it is now.
  expect(anchors.ask).toHaveBeenCalledTimes(1);
});

test('a page without a ticket still ends what somebody else left behind', async () => {
  const { handlers, seen, profiles } = setUp();
  expect(await handlers['session.seen']({}, caller)).toBeNull();
  expect(seen).toHaveBeenCalledWith(user);
  expect(profiles.keepOnly).toHaveBeenCalledWith(user);
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
  expect(profiles.get).toHaveBeenCalledWith({ ticket: '2', refresh: false, maxAgeMs: 30_000, user }, signal);
  expect({ tone, label }).toEqual({ tone: 'neutral', label: statusTexts.vi.signedOut });
  expect(learnLanguage).toHaveBeenCalledWith(user, '2');
});

test('too many syncs of one tab are refused without a request', async () => {
  const { handlers, call } = setUp(true, false);
  const answers = await Promise.all([
    handlers['sync.preview'](company, caller),
    handlers['sync.apply']({ ...company, expectedCustomer: null, reroute: false }, caller),
    handlers['sync.undo']({ ticket: '2', syncId: 's' }, caller),
    handlers['company.reject']({ ...company, expectedCustomer: null, reason }, caller),
    handlers['company.undoRejection']({ ticket: '2', rejectionId: 'r' }, caller),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  expect(call).not.toHaveBeenCalled();
});

test('a preview asks what would change, ends with its page, and leaves what was answered before alone', async () => {
  const { handlers, call, profiles } = setUp();
  expect(await handlers['sync.preview'](company, caller)).toBe(signedOut);
  const input = { ...named, adopt: 'Acme', action: 'preview' };
  expect(call.mock.calls).toEqual([['syncTicketCustomer', input, signal, user]]);
  expect(profiles.forget).not.toHaveBeenCalled();
});

test.each([
  ['routing.get', 'routingDecisions', { ticket: '2' }],
  ['around.get', 'aroundTicket', { ticket: '2' }],
  ['find.search', 'findCompanies', { ticket: '2', query: 'gốm' }],
] as const)(
  '%s is asked as the person whom the page shows, ends with its page, and a failure is passed on',
  async (verb, endpoint, input) => {
    const { handlers, call } = setUp();
    expect(await handlers[verb](input as never, caller)).toBe(signedOut);
    expect(call.mock.calls).toEqual([[endpoint, input, signal, user]]);
  },
);

test('searches are made not too often', async () => {
  const { handlers, call } = setUp(true, true, false);
  const search = handlers['find.search']({ ticket: '2', query: 'gốm' }, caller);
  expect(await search).toMatchObject({ error: { code: 'rate_limited' } });
  expect(call).not.toHaveBeenCalled();
});

test('injecting acts on the tab of the caller', async () => {
  const { handlers, inject } = setUp();
  expect(await handlers['panel.inject']({}, caller)).toBe(true);
  expect(inject).toHaveBeenCalledWith(7, '/panel.js');
});

test('the launcher gets the language and its texts, and no address', async () => {
  const { handlers } = setUp();
  expect(await handlers['launcher.start']({}, caller)).toEqual({
    language: 'vi',
    texts: launcherTexts.vi,
    shortcut: 'Alt+Shift+K',
    anchors: { ticket_header: ['header'] },
  });
  expect(await handlers['panel.start']({}, caller)).toEqual({
    ...{ language: 'vi', layout: defaultLayout, shortcut: 'Alt+Shift+K' },
  });
});

test('the Team page is opened for whoever asks for it', async () => {
  const { handlers, openTeam } = setUp();
  expect(await handlers['team.open']({}, caller)).toBeNull();
  expect(openTeam).toHaveBeenCalledOnce();
});

test('a panel that was left open is there again', async () => {
  const { handlers, layouts, inject } = setUp();
  await handlers['launcher.start']({}, caller);
  expect(inject).not.toHaveBeenCalled();
  layouts.read.mockResolvedValue({ ...defaultLayout, open: true });
  await handlers['launcher.start']({}, caller);
  expect(inject).toHaveBeenCalledWith(7, '/panel.js');
});

test('what was last seen of a ticket is that person’s', async () => {
  const { handlers, profiles } = setUp();
  expect(await handlers['profile.last']({ ticket: '2' }, caller)).toBeNull();
  expect(profiles.last).toHaveBeenCalledWith(user, '2');
});

test("the panel's layout is that of the person whom the page shows", async () => {
  const { handlers, layouts } = setUp();
  await handlers['layout.save']({ change: { open: true } }, caller);
  expect(layouts.change).toHaveBeenCalledWith(user, { open: true });
  await handlers['panel.start']({}, caller);
  expect(layouts.read).toHaveBeenCalledWith(user);
});

test.each([
  [
    'sync.apply',
    { ...company, expectedCustomer: 'Shop', reroute: true },
    'syncTicketCustomer',
    { ...named, adopt: 'Acme', expected_customer: 'Shop', reroute: true, action: 'apply' },
  ],
  ['sync.undo', { ticket: '2', syncId: 's1' }, 'syncTicketCustomer', { ticket: '2', sync_id: 's1', action: 'undo' }],
  [
    'company.reject',
    { ticket: '2', companyId: company.companyId, bitrixId: '63001', expectedCustomer: null, reason },
    'rejectCompany',
    { ...named, reason: 'wrong_id', note: 'x', expected_customer: '', action: 'reject' },
  ],
  [
    'company.undoRejection',
    { ticket: '2', rejectionId: 'r1' },
    'rejectCompany',
    { ticket: '2', rejection_id: 'r1', action: 'undo' },
  ],
] as const)(
  '%s is asked once as the person whom the page shows, runs to its end whatever the page does, and forgets the ticket, also when it ends badly',
  async (verb, input, endpoint, asked) => {
    const { handlers, call, profiles } = setUp();
    const { promise, resolve } = Promise.withResolvers<typeof signedOut>();
    call.mockReturnValue(promise);
    const left = new AbortController();
    const result = handlers[verb](input as never, { ...caller, signal: left.signal });
    left.abort();
    expect(profiles.forget).not.toHaveBeenCalled();
    resolve(signedOut);
    expect(await result).toBe(signedOut);
    expect(profiles.forget).toHaveBeenCalledExactlyOnceWith('2');
    expect(call.mock.calls).toEqual([[endpoint, asked, expect.any(AbortSignal), user]]);
    expect(call.mock.calls[0]?.[2].aborted).toBe(false);
  },
);

test('a sign-in is for the person whom the page shows, and says why it failed', async () => {
  const { handlers, signIn } = setUp();
  expect(await handlers['session.signIn']({}, caller)).toBe('signed_out');
  expect(signIn).toHaveBeenCalledWith(user);
});
