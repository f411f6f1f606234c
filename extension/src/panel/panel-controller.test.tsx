// @vitest-environment happy-dom
import type { ProfileData } from '@deskside/shared/profile';
import { crmErrorCodes, lookupStatuses } from '@deskside/shared/status';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bridge } from '#messaging/bridge.ts';
import { panelErrorCodes, type Result } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { closed, columnPage } from '#testing/column-page.ts';
import { withoutAround } from '#testing/sample-around.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import { unknownPage } from './page.ts';
import { createPanel, type PanelController } from './panel-controller.tsx';
import { createQueryClient } from './query/profile-query.ts';
import { textsFor } from './texts.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));

let answers: ((result: Result<ProfileData>) => void)[] = [];
let panel: PanelController;
let container: HTMLElement;
let launcher: HTMLButtonElement;
const setStatus = vi.fn();
const setExpanded = vi.fn();

const named = (name: string, change: Parameters<typeof sampleProfile>[0] = {}): ProfileData =>
  sampleProfile({ ...change, ticket: { ...sampleProfile().ticket, name } });
const ok = (profile: ProfileData): Result<ProfileData> => ({ ok: true, data: profile });
const open = (ticket: string, refresh = false) => panel.open({ ticket, refresh, returnFocusTo: () => launcher });
const text = () => container.textContent ?? '';
const panelElement = () => container.querySelector<HTMLElement>('.panel');
/** Answers the nth request for a profile once it has been made. */
async function answer(nth: number, result: Result<ProfileData>) {
  await until(() => expect(answers.length).toBeGreaterThan(nth));
  answers[nth]?.(result);
}
const sent = <T,>(name: string) =>
  vi
    .mocked(send)
    .mock.calls.filter(([verb]) => verb === name)
    .map(([, input]) => input as T);
const saved = () => sent<{ change: { face?: string } }>('layout.save').map(({ change }) => change);
const shows = (words: string) => until(() => expect(text()).toContain(words));
const button = (label: string) =>
  [...container.querySelectorAll('button')].find(
    (b) => b.textContent === label || b.getAttribute('aria-label') === label,
  );

beforeEach(() => {
  answers = [];
  vi.mocked(send).mockImplementation((verb) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    if (verb === 'profile.get') answers.push(resolve);
    else resolve(verb === 'around.get' ? withoutAround : null);
    return promise as never;
  });
  document.body.innerHTML = '<button id="launcher"></button><div id="panel"></div>';
  launcher = document.querySelector('#launcher') as HTMLButtonElement;
  container = document.querySelector('#panel') as HTMLElement;
  bridge().launcher = { setStatus, setExpanded, button: launcher };
  panel = createPanel(container, createQueryClient(), 'en', closed, columnPage);
});
afterEach(() => {
  panel.destroy();
  vi.clearAllMocks();
});

test('that the panel was closed is kept', () => {
  open('12');
  panel.close();
  expect(saved()).toEqual([{ open: true, face: 'customer' }, { open: false }]);
});

test('opening shows the panel synchronously, labelled, with the focus on its heading', () => {
  open('61307');
  const dialog = panelElement();
  const heading = container.querySelector('h2');
  expect(dialog?.hidden).toBe(false);
  expect(dialog?.getAttribute('aria-labelledby')).toBe(heading?.id);
  expect(document.activeElement).toBe(heading);
  expect(text()).toContain('Loading the customer profile');
  expect(setExpanded).toHaveBeenLastCalledWith(true);
});

test('a prepared panel is mounted and loaded, but not shown, and opening it makes no second request', async () => {
  panel.prepare('61307');
  await answer(0, ok(named('61307')));
  await shows('Tiệm Hoa Mẫu');
  expect(panelElement()?.hidden).toBe(true);
  open('61307');
  expect(text()).toContain('Tiệm Hoa Mẫu');
  expect(answers).toHaveLength(1);
});

test('however far a ticket was scrolled, the next one opens at its top', async () => {
  open('1');
  await answer(0, ok(named('1')));
  await shows('Tiệm Hoa Mẫu');
  const scroller = container.querySelector('.scroller') as HTMLElement;
  scroller.scrollTop = 300;
  panel.setTicket('2');
  await answer(1, ok(named('2')));
  await until(() => expect(container.querySelector('.scroller')?.scrollTop).toBe(0));
  expect(container.querySelector('.scroller')).not.toBe(scroller);
});

test('another ticket removes the previous customer immediately, and a late answer is dropped', async () => {
  open('1');
  await answer(0, ok(named('1')));
  await shows('Tiệm Hoa Mẫu');
  panel.setTicket('2');
  expect(text()).not.toContain('Tiệm Hoa Mẫu');
  await until(() => expect(answers).toHaveLength(2));
  panel.setTicket('3');
  await answer(1, ok(named('2', { company: { company_name: 'Late and wrong' } })));
  await answer(2, ok(named('3', { company: { company_name: 'Giày Bảo An' } })));
  await shows('Giày Bảo An');
  expect(text()).not.toContain('Late and wrong');
});

test('leaving for a page without a ticket closes the panel and empties it', async () => {
  open('1');
  await answer(0, ok(named('1')));
  await shows('Tiệm Hoa Mẫu');
  panel.setTicket(null);
  expect(panel.isOpen).toBe(false);
  expect(text()).not.toContain('Tiệm Hoa Mẫu');
  expect(setExpanded).toHaveBeenLastCalledWith(false);
});

test('over a page without a column, Escape and Close give the focus back to the launcher', () => {
  panel.destroy();
  panel = createPanel(container, createQueryClient(), 'en', closed, unknownPage);
  open('61307');
  expect(panelElement()?.getAttribute('role')).toBe('dialog');
  container.querySelector('h2')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  expect(panel.isOpen).toBe(false);
  expect(document.activeElement).toBe(launcher);
  open('61307');
  button('Close')?.click();
  expect(panel.isOpen).toBe(false);
  expect(document.activeElement).toBe(launcher);
});

test('closing does not take the focus from an agent who is typing in the ticket', () => {
  open('61307');
  const reply = document.body.appendChild(document.createElement('textarea'));
  reply.focus();
  panel.close();
  expect(document.activeElement).toBe(reply);
});

test('text from the CRM and the ticket stays text', async () => {
  const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  open('61307');
  await answer(
    0,
    ok(
      named('61307', {
        company: { company_name: hostile, url: 'javascript:alert(3)', owner_name: hostile, current_shopplan: hostile },
        bitrix: { lookup_trust: { level: 'claimed', evidence: [{ code: 'sender_not_of_company', value: hostile }] } },
      }),
    ),
  );
  await shows(hostile);
  expect(container.querySelector('img, script, [onerror]')).toBeNull();
  expect([...container.querySelectorAll('a')].filter((a) => !/^(https?|mailto|tel):/.test(a.href))).toEqual([]);
  expect(container.querySelector('a[aria-label^="Open in CRM"]')).toBeNull();
});

test('the link to the CRM opens in a new tab without a referrer', async () => {
  open('61307');
  await answer(0, ok(named('61307')));
  await shows('CRM');
  const link = container.querySelector<HTMLAnchorElement>('a[aria-label^="Open in CRM"]');
  expect(link?.href).toBe('https://crm.example/crm/company/details/63001/');
  expect([link?.target, link?.rel]).toEqual(['_blank', 'noopener noreferrer']);
});

test('refresh keeps the old data, says that it is busy, and then that it is done', async () => {
  open('61307');
  await answer(0, ok(named('61307', { company: { current_hsi_segment: 'HSI_1' } })));
  await shows('Very low');
  button('Refresh CRM Profile')?.click();
  await until(() => expect(container.querySelector('[aria-busy="true"] > .progress-line')).not.toBeNull());
  expect(text()).toContain('Very low');
  expect(text()).toContain('Asking the CRM…');
  await until(() => expect(answers).toHaveLength(2));
  await answer(1, ok(named('61307')));
  await until(() => expect(container.querySelector('output')?.textContent).toBe('Refreshed.'));
  expect(text()).not.toContain('Very low');
});

test.each<[Result<ProfileData>, string]>([
  [{ ok: false, error: { code: 'unreachable' } }, 'Not refreshed: The Deskside proxy cannot be reached.'],
  [
    ok(named('61307', { bitrix: { status: 'error', stale: true, error: { code: 'timeout', request_id: 'r' } } })),
    'Not refreshed: The CRM is not responding.',
  ],
])('a refresh that brought nothing says why, beside its button: %j', async (result, words) => {
  open('61307');
  await answer(0, ok(named('61307')));
  await shows('Tiệm Hoa Mẫu');
  button('Refresh CRM Profile')?.click();
  await until(() => expect(container.querySelector('.progress-line')).not.toBeNull());
  await answer(1, result);
  await until(() => expect(container.querySelector('output')?.textContent).toBe(words));
  expect(button('Refresh CRM Profile')?.parentElement?.textContent).toBe(words);
});

test('the first stop with Tab after the heading is the next step, then the facts, then the people', async () => {
  open('61307');
  await answer(0, ok(named('61307', { bitrix: { lookup_trust: { level: 'claimed', evidence: [] } } })));
  await shows('Insert question');
  const heading = container.querySelector('h2') as HTMLElement;
  const stops = [...container.querySelectorAll<HTMLElement>('a[href], button, input, summary')].filter(
    (one) => heading.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const names = stops.map((one) => one.getAttribute('aria-label') ?? one.textContent);
  expect(names.slice(0, 5)).toEqual([
    ...['Insert question', 'It’s them…', 'Ask about them: Nguyễn An (Account owner)'],
    ...['Trần Mẫu (opens in a new tab)', 'Call 0900 000 002'],
  ]);
});

test('the question goes into the reply, which is opened for it; without one it is copied', async () => {
  const [openReply, insert, write] = [vi.fn(async () => true), vi.fn(() => true), vi.fn(async () => {})];
  vi.stubGlobal('navigator', { ...navigator, onLine: true, clipboard: { writeText: write } });
  panel.destroy();
  const page = { ...columnPage, openReply, insert };
  panel = createPanel(container, createQueryClient(), 'en', closed, page);
  open('61307');
  await answer(0, ok(named('61307', { bitrix: { lookup_trust: { level: 'claimed', evidence: [] } } })));
  await shows('Insert question');
  const { question } = textsFor('en').steps;
  button('Insert question')?.click();
  await until(() => expect(insert).toHaveBeenCalledWith(question));
  openReply.mockResolvedValue(false);
  button('Insert question')?.click();
  await until(() => expect(write).toHaveBeenCalledWith(question));
  expect(insert).toHaveBeenCalledTimes(1);
});

test('signing in from the panel loads the profile', async () => {
  open('61307');
  await answer(0, { ok: false, error: { code: 'signed_out' } });
  await shows('Sign in to see the customer');
  button('Sign in')?.click();
  await until(() => expect(answers).toHaveLength(2));
  await answer(1, ok(named('61307')));
  await shows('Tiệm Hoa Mẫu');
});

test('the ticket now being shown to somebody else removes everything at once, and asks again', async () => {
  open('61307');
  answers[0]?.(ok(named('61307')));
  await shows('Tiệm Hoa Mẫu');
  await until(() => expect(container.querySelector('output')?.textContent).toContain('Tiệm Hoa Mẫu'));
  panel.setTicket('61307');
  expect([text().includes('Tiệm Hoa Mẫu'), panel.isOpen]).toEqual([false, true]);
  await until(() => expect(answers).toHaveLength(2));
  answers[1]?.({ ok: false, error: { code: 'signed_out' } });
  await shows('Sign in to see the customer');
});

test('a sign-in that the helpdesk gave to somebody else is explained', async () => {
  open('61307');
  answers[0]?.({ ok: false, error: { code: 'signed_out' } });
  await shows('Sign in to see the customer');
  vi.mocked(send).mockResolvedValueOnce('other_user');
  button('Sign in')?.click();
  await until(() => expect(answers).toHaveLength(2));
  answers[1]?.({ ok: false, error: { code: 'other_user' } });
  await shows('Deskside is signed in as someone else');
  expect(button('Open settings')).toBeDefined();
});

test('left open it is there on every ticket by itself, without taking the focus, and closed it stays closed', () => {
  const reply = document.body.appendChild(document.createElement('textarea'));
  reply.focus();
  panel.setTicket('1');
  expect(panelElement()?.hidden ?? true).toBe(true);
  open('1');
  reply.focus();
  panel.setTicket(null);
  expect(panel.isOpen).toBe(false);
  panel.setTicket('2');
  expect([panel.isOpen, document.activeElement]).toEqual([true, reply]);
  panel.close();
  panel.setTicket('3');
  expect(panel.isOpen).toBe(false);
  expect(saved()).toEqual([{ open: true, face: 'customer' }, { open: false }]);
});

test('over a page without a column nothing opens by itself: what floats covers the page', () => {
  panel.destroy();
  panel = createPanel(container, createQueryClient(), 'en', closed, unknownPage);
  panel.setTicket('1');
  open('1');
  expect(panel.isOpen).toBe(true);
  panel.setTicket('2');
  expect(panel.isOpen).toBe(false);
});

describe('over the helpdesk’s column', () => {
  let needed: () => void;
  let boxes: (box: object | null, isRoomy: boolean) => void;
  const faces: (string | null)[] = [];

  beforeEach(() => {
    faces.length = 0;
    panel.destroy();
    panel = createPanel(container, createQueryClient(), 'en', closed, {
      ...columnPage,
      watchColumn(onBox, onNeeded) {
        [boxes, needed] = [onBox, onNeeded];
        return columnPage.watchColumn(onBox, onNeeded);
      },
      setFace: (face) => faces.at(-1) !== face && faces.push(face),
    });
  });

  test('it turns to the helpdesk’s face and back, by its switch, the shortcut, and where the page needs a field', () => {
    open('1');
    expect([panelElement()?.getAttribute('role'), faces.at(-1)]).toEqual(['complementary', 'customer']);
    button('Ticket')?.click();
    expect([panel.isOpen, faces.at(-1), panelElement()?.hidden]).toEqual([false, 'ticket', false]);
    // What is turned away is out of the tab order.
    expect(container.querySelector('.content')?.closest('[hidden]')).not.toBeNull();
    button('Customer')?.click();
    expect([panel.isOpen, faces.at(-1)]).toEqual([true, 'customer']);
    panel.flip();
    expect(faces.at(-1)).toBe('ticket');
    open('1');
    needed();
    expect(faces.at(-1)).toBe('ticket');
    // The page needed it for a moment: the next ticket has the face that the agent chose.
    panel.setTicket('2');
    expect([panel.isOpen, faces.at(-1)]).toEqual([true, 'customer']);
  });

  test('the face that the agent chose stays for the next ticket, and is kept', () => {
    open('1');
    button('Ticket')?.click();
    panel.setTicket('2');
    expect([panel.isOpen, faces.at(-1)]).toEqual([false, 'ticket']);
    button('Customer')?.click();
    panel.flip();
    panel.setTicket('3');
    expect(faces.at(-1)).toBe('ticket');
    // The launcher opens the customer's.
    open('3');
    panel.setTicket('4');
    expect([panel.isOpen, faces.at(-1)]).toEqual([true, 'customer']);
    const chosen = ['customer', 'ticket', 'customer', 'ticket', 'customer'];
    expect(saved().flatMap(({ face }) => face ?? [])).toEqual(chosen);
  });

  test('Escape closes it, as Close does', () => {
    open('1');
    panelElement()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect([panel.isOpen, faces.at(-1)]).toEqual([false, null]);
  });

  test('in a window without room beside it, it floats in the column’s place and stays closed from ticket to ticket', () => {
    open('1');
    boxes({ left: '501', top: '78', width: '352', height: '455' }, false);
    expect([panel.isOpen, faces.at(-1), container.hasAttribute('data-in-column')]).toEqual([false, null, true]);
    open('1');
    expect([panel.isOpen, panelElement()?.getAttribute('role')]).toEqual([true, 'dialog']);
    panel.setTicket('2');
    expect(panel.isOpen).toBe(false);
    boxes({ left: '928', top: '78', width: '352', height: '722' }, true);
    expect([panel.isOpen, container.hasAttribute('data-in-column')]).toEqual([true, false]);
  });

  test('closed, or where the page has no column any more, the helpdesk’s is as if there were no panel', () => {
    open('1');
    boxes(null, true);
    // What would cover the page waits for the agent.
    expect([panel.isOpen, faces.at(-1)]).toEqual([false, null]);
    boxes({ left: '1', top: '2', width: '352', height: '4' }, true);
    expect(faces.at(-1)).toBe('customer');
    expect(container.style.getPropertyValue('--column-width')).toBe('352px');
    button('Close')?.click();
    expect(faces.at(-1)).toBeNull();
    open('1');
    panel.setTicket(null);
    expect(faces.at(-1)).toBeNull();
  });
});

test('it is mounted as the agent left it', () => {
  panel.destroy();
  panel = createPanel(container, createQueryClient(), 'en', { ...closed, layout: { open: true } }, columnPage);
  panel.setTicket('1');
  expect([panel.isOpen, panelElement()?.getAttribute('role')]).toEqual([true, 'complementary']);
  button('Close')?.click();
  expect([panel.isOpen, saved()]).toEqual([false, [{ open: false }]]);
  expect(document.activeElement).toBe(document.body);
});

test('on a ticket seen before, the last profile is there while the new one loads, and never one of another ticket', async () => {
  const last = (name: string) => ({
    profile: named(name, { company: { company_name: `Shop ${name}` } }),
    receivedAt: 1,
  });
  const mocked = vi.mocked(send).getMockImplementation();
  vi.mocked(send).mockImplementation((async (verb: string, input: { ticket: string }) => {
    if (verb === 'profile.last') return input.ticket === '3' ? last('1') : last(input.ticket);
    return mocked?.(verb as never, input as never);
  }) as never);
  open('1');
  await shows('Shop 1');
  expect(container.querySelector('[aria-busy="true"]')).not.toBeNull();
  await answer(0, ok(named('1', { company: { company_name: 'Shop 1 today' } })));
  await shows('Shop 1 today');
  await until(() => expect(container.querySelector('[aria-busy="true"]')).toBeNull());
  panel.setTicket('2');
  expect(text()).not.toContain('Shop 1');
  await shows('Shop 2');
  await answer(1, { ok: false, error: { code: 'ticket_not_readable' } });
  await until(() => expect(text()).not.toContain('Shop 2'));
  panel.setTicket('3');
  await until(() => expect(answers).toHaveLength(3));
  await new Promise((later) => setTimeout(later));
  expect(text()).toContain('Loading the customer profile');
  expect(text()).not.toContain('Shop');
});

test('a tab that gains the focus asks again for what another tab has written to, and for nothing else', async () => {
  open('1');
  await answer(0, ok(named('1')));
  await shows('Verified');
  const asked = async (last: object | null) => {
    vi.mocked(send).mockResolvedValueOnce(last as never);
    await panel.look();
    return answers.length;
  };
  expect(await asked({ profile: named('1'), receivedAt: 1 })).toBe(1);
  expect(await asked(null)).toBe(2);
  await answer(1, ok(named('1', { company: { company_name: 'Shop from the other tab' } })));
  await shows('Shop from the other tab');
  expect(await asked({ profile: named('1'), receivedAt: Date.now() + 60_000 })).toBe(3);
  await answer(2, ok(named('1')));
  await until(() => expect(text()).not.toContain('Shop from the other tab'));
  button('Close')?.click();
  expect(await asked(null)).toBe(3);
  open('1');
  await until(() => expect(answers).toHaveLength(4));
});

test('a crash while rendering is contained: the panel says so and can still be closed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  open('61307');
  const broken = { ...named('61307'), bitrix: { ...named('61307').bitrix, alternatives: null } };
  await answer(0, ok(broken as never));
  await shows('The panel has stopped');
  button('Close')?.click();
  expect(panel.isOpen).toBe(false);
});

test('the launcher is told what the panel knows', async () => {
  open('61307');
  await answer(0, ok(named('61307')));
  await until(() => expect(setStatus).toHaveBeenCalledWith({ tone: 'ok', label: 'Verified' }));
});

test('the language can change while the panel is open', async () => {
  open('61307');
  await answer(0, ok(named('61307')));
  await shows('Verified');
  panel.setLanguage('vi');
  expect(text()).toContain('Đã xác minh');
  expect(container.lang).toBe('vi');
});

const without = { company: null, contact: null, responsible: null, lookup_trust: null };
const profiles = [
  ...lookupStatuses.map((status) => named('61307', { bitrix: { status } })),
  ...lookupStatuses.map((status) => named('61307', { bitrix: { ...without, status, lookup_candidates: [] } })),
  ...crmErrorCodes.map((code) =>
    named('61307', { bitrix: { status: 'error', stale: true, error: { code, request_id: 'r' } } }),
  ),
];
const results = [
  ...profiles.map(ok),
  ...panelErrorCodes.map((code): Result<ProfileData> => ({ ok: false, error: { code } })),
];

test.each(['en', 'vi'] as const)('every state has a view with a heading of its own (%s)', async (language) => {
  for (const result of results) {
    const requests = answers.length;
    const view = createPanel(container, createQueryClient(), language, closed, unknownPage);
    view.open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
    await answer(requests, result);
    await until(() => expect(container.querySelector('h3')?.textContent).toBeTruthy());
    expect(text()).not.toMatch(/undefined|\[object|NaN|null/);
    if (!result.ok) expect(text()).toContain(textsFor(language).failures.code[result.error.code].title);
    view.destroy();
  }
});
