// @vitest-environment happy-dom
import type { ProfileData } from '@deskside/shared/profile';
import { crmErrorCodes, lookupStatuses } from '@deskside/shared/status';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bridge } from '#messaging/bridge.ts';
import { type ProfileResult, panelErrorCodes } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import { createPanel, type PanelController } from './panel-controller.tsx';
import { createQueryClient } from './query/query-client.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));

let answers: ((result: ProfileResult) => void)[] = [];
let panel: PanelController;
let container: HTMLElement;
let launcher: HTMLButtonElement;
const setStatus = vi.fn();
const setExpanded = vi.fn();

const named = (name: string, change: Parameters<typeof sampleProfile>[0] = {}): ProfileData =>
  sampleProfile({ ...change, ticket: { ...sampleProfile().ticket, name } });
const ok = (profile: ProfileData): ProfileResult => ({ ok: true, profile, receivedAt: 0 });
const open = (ticket: string, refresh = false) => panel.open({ ticket, refresh, returnFocusTo: () => launcher });
const text = () => container.textContent ?? '';
/** Answers the nth request for a profile once it has been made. */
async function answer(nth: number, result: ProfileResult) {
  await until(() => expect(answers.length).toBeGreaterThan(nth));
  answers[nth]?.(result);
}
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
    else resolve(null);
    return promise as never;
  });
  document.body.innerHTML = '<button id="launcher"></button><div id="panel"></div>';
  launcher = document.querySelector('#launcher') as HTMLButtonElement;
  container = document.querySelector('#panel') as HTMLElement;
  bridge().launcher = { setStatus, setExpanded };
  panel = createPanel(container, createQueryClient(), 'en');
});
afterEach(() => {
  panel.destroy();
  vi.clearAllMocks();
});

test('opening shows the panel synchronously, labelled, with the focus on its heading', () => {
  open('61307');
  const dialog = container.querySelector('dialog');
  const heading = container.querySelector('h2');
  expect(dialog?.open).toBe(true);
  expect(dialog?.getAttribute('aria-labelledby')).toBe(heading?.id);
  expect(document.activeElement).toBe(heading);
  expect(text()).toContain('Loading the customer profile');
  expect(setExpanded).toHaveBeenLastCalledWith(true);
});

test('a prepared panel is mounted and loaded, but not shown, and opening it makes no second request', async () => {
  panel.prepare('61307');
  await answer(0, ok(named('61307')));
  await shows('Tiệm Hoa Mẫu');
  expect(container.querySelector('dialog')?.open).toBe(false);
  open('61307');
  expect(text()).toContain('Tiệm Hoa Mẫu');
  expect(answers).toHaveLength(1);
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

test('an answer that names another ticket is never shown', async () => {
  open('1');
  await answer(0, ok(named('2')));
  await shows('are not compatible');
  expect(text()).not.toContain('Tiệm Hoa Mẫu');
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

test('Escape and Close give the focus back to the launcher', () => {
  open('61307');
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
        bitrix: { lookup_trust: { level: 'claimed', evidence: [{ code: 'sender_not_of_customer', value: hostile }] } },
      }),
    ),
  );
  await shows(hostile);
  expect(container.querySelector('img, script, [onerror]')).toBeNull();
  expect([...container.querySelectorAll('a')].filter((a) => !/^(https?|mailto):/.test(a.href))).toEqual([]);
  expect(text()).not.toContain('Open in CRM');
});

test('the link to the CRM opens in a new tab without a referrer', async () => {
  open('61307');
  await answer(0, ok(named('61307')));
  await shows('Open in CRM');
  const link = [...container.querySelectorAll('a')].find((a) => a.textContent?.startsWith('Open in CRM'));
  expect(link?.href).toBe('https://crm.example/crm/company/details/63001/');
  expect([link?.target, link?.rel]).toEqual(['_blank', 'noopener noreferrer']);
});

test('refresh keeps the old data, says that it is busy, and marks what changed', async () => {
  open('61307');
  await answer(0, ok(named('61307', { company: { current_hsi_segment: 'HSI_1' } })));
  await shows('HSI_1');
  button('Refresh CRM Profile')?.click();
  await until(() => expect(container.querySelector('[aria-busy="true"]')).not.toBeNull());
  expect(text()).toContain('Tiệm Hoa Mẫu');
  await until(() => expect(answers).toHaveLength(2));
  await answer(1, ok(named('61307')));
  await shows('1 change marked');
  expect(container.querySelector('del')?.textContent).toContain('HSI_1');
  expect(container.querySelector('mark')?.textContent).toContain('HSI_100');
  await until(() => expect(container.querySelector('output')?.textContent).toBe('Refreshed. 1 value changed.'));
});

test('signing in from the panel loads the profile', async () => {
  open('61307');
  await answer(0, { ok: false, error: { code: 'signed_out', requestId: null } });
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
  answers[1]?.({ ok: false, error: { code: 'signed_out', requestId: null } });
  await shows('Sign in to see the customer');
});

test('a sign-in that the helpdesk gave to somebody else is explained', async () => {
  open('61307');
  answers[0]?.({ ok: false, error: { code: 'signed_out', requestId: null } });
  await shows('Sign in to see the customer');
  vi.mocked(send).mockResolvedValueOnce('other_user');
  button('Sign in')?.click();
  await until(() => expect(answers).toHaveLength(2));
  answers[1]?.({ ok: false, error: { code: 'other_user', requestId: null } });
  await shows('Deskside is signed in as someone else');
  expect(button('Open options')).toBeDefined();
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
  await until(() => expect(setStatus).toHaveBeenCalledWith({ tone: 'ok', label: 'Confirmed' }));
});

test('the language can change while the panel is open', async () => {
  open('61307');
  await answer(0, ok(named('61307')));
  await shows('Confirmed');
  panel.setLanguage('vi');
  expect(text()).toContain('Đã xác nhận');
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
  ...panelErrorCodes.map((code): ProfileResult => ({ ok: false, error: { code, requestId: 'req-1' } })),
];

test.each(['en', 'vi'] as const)('every state has a view with a heading of its own (%s)', async (language) => {
  for (const result of results) {
    const requests = answers.length;
    const view = createPanel(container, createQueryClient(), language);
    view.open({ ticket: '61307', refresh: false, returnFocusTo: () => null });
    await answer(requests, result);
    await until(() => expect(container.querySelector('h3')?.textContent).toBeTruthy());
    expect(text()).not.toMatch(/undefined|\[object|NaN|null/);
    if (!result.ok) expect(text()).toContain('req-1');
    view.destroy();
  }
});
