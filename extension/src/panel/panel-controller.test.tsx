// @vitest-environment happy-dom
import type { ProfileData } from '@deskside/shared/profile';
import { CrmErrorCode, LookupStatus } from '@deskside/shared/status';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { bridge } from '#messaging/bridge.ts';
import { panelErrorCodes, type Result } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import {
  answer,
  button,
  claimed,
  columnPage,
  container,
  mountPanel,
  no,
  of,
  panel,
  remount,
  says,
  shows,
  text,
} from '#testing/mounted-panel.ts';
import { noCompany, type ProfileChange, sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import { unknownPage } from './parts/page.ts';
import { textsFor } from './texts/texts.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
const reply = vi.hoisted(() => ({
  canInsert: () => false,
  hasDraft: () => false,
  openReply: vi.fn(async () => true),
  insertOnce: vi.fn(() => true),
  lastMessageFrom: vi.fn<() => string | null>(() => 'Hi, please extend the plan of my shop Gốm Sứ Làng Mơ.'),
}));
vi.mock('#host-page/reply.ts', () => reply);
mountPanel();

let launcher: HTMLButtonElement;
const setStatus = vi.fn();
const setExpanded = vi.fn();
beforeEach(() => {
  launcher = document.body.appendChild(document.createElement('button'));
  bridge().launcher = { setStatus, setExpanded, button: launcher };
});

const named = (name: string, change: ProfileChange = {}) => sampleProfile({ ...change, ticket: { name } });
const ok = (profile: ProfileData): Result<ProfileData> => ({ ok: true, data: profile });
const open = (ticket: string) => panel().open({ ticket, refresh: false, returnFocusTo: () => launcher });
const shown = (nth: number, result: Result<ProfileData>) => answer('profile.get', nth, result);
const element = () => container().querySelector<HTMLElement>('.panel');
const pressEscape = () => element()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
/** What was kept of how the agent arranges the panel. */
const saved = () => of('layout.save').map(({ input }) => (input as unknown as { change: object }).change);
const company = 'Tiệm Hoa Mẫu';

test('a prepared panel is mounted and loaded, but not shown, and opening it makes no second request', async () => {
  panel().prepare('61307');
  await shown(0, ok(named('61307')));
  await shows(company);
  expect(element()?.hidden).toBe(true);
  open('61307');
  expect(text()).toContain(company);
  expect(of('profile.get')).toHaveLength(1);
  expect(setExpanded).toHaveBeenLastCalledWith(true);
});

test('another ticket removes the previous customer immediately, starts at its top, and a late answer is dropped', async () => {
  open('1');
  await shown(0, ok(named('1')));
  await shows(company);
  const scroller = container().querySelector('.scroller') as HTMLElement;
  scroller.scrollTop = 300;
  panel().setTicket('2');
  expect(text()).not.toContain(company);
  await until(() => expect(of('profile.get')).toHaveLength(2));
  panel().setTicket('3');
  await shown(1, ok(named('2', { company: { company_name: 'Late and wrong' } })));
  await shown(2, ok(named('3', { company: { company_name: 'Giày Bảo An' } })));
  await shows('Giày Bảo An');
  expect(text()).not.toContain('Late and wrong');
  expect(container().querySelector('.scroller')?.scrollTop).toBe(0);
  panel().setTicket(null);
  expect([panel().isOpen, text().includes('Giày Bảo An')]).toEqual([false, false]);
  expect(setExpanded).toHaveBeenLastCalledWith(false);
});

test('over a page without a column nothing opens by itself, and Escape and Close give the focus back to the launcher', () => {
  remount(unknownPage);
  open('61307');
  expect(element()?.getAttribute('role')).toBe('dialog');
  pressEscape();
  expect([panel().isOpen, document.activeElement]).toEqual([false, launcher]);
  open('61307');
  button('Close')?.click();
  expect([panel().isOpen, document.activeElement]).toEqual([false, launcher]);
  open('61307');
  panel().setTicket('2');
  expect(panel().isOpen).toBe(false);
});

test('text from the CRM and the ticket stays text; the link to the CRM opens in a new tab without a referrer', async () => {
  const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  open('61307');
  const evidence = [{ code: 'sender_not_of_company' as const, value: hostile }];
  const names = { company_name: hostile, owner_name: hostile, current_shopplan: hostile };
  const bitrix = { lookup_trust: { level: 'claimed' as const, evidence } };
  await shown(0, ok(named('61307', { company: { ...names, url: 'javascript:alert(3)' }, bitrix })));
  await shows(hostile);
  expect(container().querySelector('img, script, [onerror]')).toBeNull();
  expect([...container().querySelectorAll('a')].filter((a) => !/^(https?|mailto|tel):/.test(a.href))).toEqual([]);
  expect(container().querySelector('a[aria-label^="Open in CRM"]')).toBeNull();
  panel().setTicket('2');
  await shown(1, ok(named('2')));
  await shows(company);
  const link = container().querySelector<HTMLAnchorElement>('a[aria-label^="Open in CRM"]');
  expect([link?.href, link?.target, link?.rel]).toEqual([
    ...['https://crm.example/crm/company/details/63001/', '_blank', 'noopener noreferrer'],
  ]);
});

const timeout = { status: 'error' as const, stale: true, error: { code: 'timeout' as const, request_id: 'r' } };
test.each<[why: string, Result<ProfileData>]>([
  ['The Deskside proxy cannot be reached.', no('unreachable')],
  ['The CRM is not responding.', ok(named('61307', { bitrix: timeout }))],
  ['Sign in to see the customer', no('signed_out')],
])(
  'a refresh that brought nothing is told so until an answer comes, and the panel says once: %s',
  async (why, result) => {
    open('61307');
    await shown(0, ok(named('61307')));
    await shows(company);
    button('Refresh CRM Profile')?.click();
    await until(() => expect(container().querySelector('.progress-line')).not.toBeNull());
    await shown(1, result);
    await says(`Not refreshed: ${why}`.replace(/\.?$/, '.'));
    expect(container().querySelector('.content')?.textContent.split(why)).toHaveLength(2);
    // It asks by itself again, and again.
    for (const nth of [2, 3]) {
      await until(() => {
        panel().look();
        expect(of('profile.get')).toHaveLength(nth + 1);
      });
      expect(container().querySelector('output')?.textContent).toContain('Not refreshed');
      await shown(nth, nth === 3 ? ok(named('61307')) : result);
    }
    await says(textsFor('en').shell.loaded(company, 'Verified. Signed in with the shop’s own address'));
  },
);

test('the first stop with Tab after the heading is the next step, then the facts, then the people', async () => {
  open('61307');
  await shown(0, ok(named('61307', claimed)));
  await shows('Insert question');
  const heading = container().querySelector('h2') as HTMLElement;
  const stops = [...container().querySelectorAll<HTMLElement>('a[href], button, input, summary')].filter(
    (one) => heading.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(stops.map((one) => one.getAttribute('aria-label') ?? one.textContent).slice(0, 5)).toEqual([
    ...['Insert question', 'It’s them…', 'Ask about them: Nguyễn An (Account owner)'],
    ...['Trần Mẫu (opens in a new tab)', 'Call 0900 000 002'],
  ]);
});

test('the question goes into the reply, in the language of their last message, else of the subject; without one it is copied', async () => {
  const { openReply, insertOnce, lastMessageFrom } = reply;
  const write = vi.fn(async () => {});
  vi.stubGlobal('navigator', { ...navigator, onLine: true, clipboard: { writeText: write } });
  open('61307');
  await shown(0, ok(named('61307', claimed)));
  await shows('Insert question');
  const question = (language: 'en' | 'vi') => textsFor(language).steps.question.fromAddress;
  button('Insert question')?.click();
  await until(() => expect(insertOnce).toHaveBeenCalledWith(question('en')));
  expect(lastMessageFrom).toHaveBeenCalledWith('mau@tiemhoamau.example');
  lastMessageFrom.mockReturnValue(null);
  openReply.mockResolvedValue(false);
  button('Insert question')?.click();
  await until(() => expect(write).toHaveBeenCalledWith(question('vi')));
  expect(insertOnce).toHaveBeenCalledTimes(1);
});

test('the ticket now being shown to somebody else removes everything at once, and asks again', async () => {
  open('61307');
  await shown(0, ok(named('61307')));
  await shows(company);
  await until(() => expect(container().querySelector('output')?.textContent).toContain(company));
  panel().setTicket('61307');
  expect([text().includes(company), panel().isOpen]).toEqual([false, true]);
  await shown(1, no('signed_out'));
  await shows('Sign in to see the customer');
  // The helpdesk gives the sign-in to yet another person.
  vi.mocked(send).mockResolvedValueOnce('other_user');
  button('Sign in')?.click();
  await shown(2, no('other_user'));
  await shows('Deskside is signed in as someone else');
  expect(button('Open settings')).toBeDefined();
});

test('left open it is there on every ticket by itself, without taking the focus, and closed it stays closed', () => {
  const reply = document.body.appendChild(document.createElement('textarea'));
  panel().setTicket('1');
  expect(element()?.hidden ?? true).toBe(true);
  open('1');
  reply.focus();
  panel().setTicket(null);
  panel().setTicket('2');
  expect([panel().isOpen, document.activeElement]).toEqual([true, reply]);
  panel().close();
  // Nor does closing take it from an agent who is typing in the ticket.
  expect(document.activeElement).toBe(reply);
  panel().setTicket('3');
  expect(panel().isOpen).toBe(false);
  expect(saved()).toEqual([{ open: true, face: 'customer' }, { open: false }]);
});

test('over the helpdesk’s column it turns to that and back, by its switch, the shortcut, and where the page needs a field', () => {
  let needed = () => {};
  let face: string | null = null;
  remount({
    ...columnPage,
    watchColumn(onBox, onNeeded) {
      needed = onNeeded;
      return columnPage.watchColumn(onBox, onNeeded);
    },
    setFace: (next) => {
      face = next;
    },
  });
  const state = () => [panel().isOpen, face];
  open('1');
  expect([element()?.getAttribute('role'), ...state()]).toEqual(['complementary', true, 'customer']);
  button('Ticket')?.click();
  expect([element()?.hidden, ...state()]).toEqual([false, false, 'ticket']);
  // What is turned away is out of the tab order.
  expect(container().querySelector('.content')?.closest('[hidden]')).not.toBeNull();
  button('Customer')?.click();
  expect(state()).toEqual([true, 'customer']);
  panel().flip();
  expect(face).toBe('ticket');
  open('1');
  needed();
  expect(face).toBe('ticket');
  // The page needed it for a moment: the next ticket has the face that the agent chose.
  panel().setTicket('2');
  expect(state()).toEqual([true, 'customer']);
  pressEscape();
  expect(state()).toEqual([false, null]);
});

test('a page asks again for its ticket when another tab has written to that, and in front unless its answer is of this moment; out of sight it waits', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
  open('1');
  await shown(0, ok(named('1')));
  await shows('Verified');
  const asked = () => of('profile.get').length;
  panel().look();
  panel().look('2');
  expect(asked()).toBe(1);
  panel().look('1');
  await shown(1, ok(named('1', { company: { company_name: 'Shop from the other tab' } })));
  await shows('Shop from the other tab');
  vi.setSystemTime(Date.now() + 6_000);
  panel().look();
  await shown(2, ok(named('1')));
  await until(() => expect(text()).not.toContain('Shop from the other tab'));
  isHidden.mockReturnValue(true);
  panel().look('1');
  expect(asked()).toBe(3);
  isHidden.mockReturnValue(false);
  panel().look();
  await until(() => expect(asked()).toBe(4));
});

test('a crash while rendering is contained: the panel says so and can still be closed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  open('61307');
  const broken = { ...named('61307'), bitrix: { ...named('61307').bitrix, alternatives: null } };
  await shown(0, ok(broken as never));
  await shows('The panel has stopped');
  button('Close')?.click();
  expect(panel().isOpen).toBe(false);
});

const results: Result<ProfileData>[] = [
  ...LookupStatus.options.map((status) => ok(named('61307', { bitrix: { status } }))),
  ...LookupStatus.options.map((status) =>
    ok(named('61307', { bitrix: { ...noCompany, status, lookup_candidates: [] } })),
  ),
  ...CrmErrorCode.options.map((code) =>
    ok(named('61307', { bitrix: { ...timeout, error: { code, request_id: 'r' } } })),
  ),
  ...panelErrorCodes.map((code) => no(code)),
];

test('every state has a view with a heading of its own; every second one is spoken in Vietnamese', async () => {
  for (const [nth, result] of results.entries()) {
    const language = nth % 2 === 0 ? 'en' : 'vi';
    remount(unknownPage);
    panel().setLanguage(language);
    const requests = of('profile.get').length;
    open('61307');
    expect(container().lang).toBe(language);
    await shown(requests, result);
    await until(() => expect(container().querySelector('h3')?.textContent).toBeTruthy());
    expect(text()).not.toMatch(/undefined|\[object|NaN|null/);
    if (!result.ok) expect(text()).toContain(textsFor(language).failures.code[result.error.code].title);
  }
});
