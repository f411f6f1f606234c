// @vitest-environment happy-dom
import type { AroundTicket } from '@deskside/shared/around';
import { beforeEach, expect, test, vi } from 'vitest';
import { around } from '#i18n/panel/around.ts';
import { panelErrorCodes, type Result } from '#messaging/protocol.ts';
import { failureKinds } from '#panel/status/failure.ts';
import { answer, button, container, mountPanel, no, of, panel } from '#testing/mounted-panel.ts';
import { sampleAround, sampleTicket } from '#testing/sample-around.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => ({ send: vi.fn(), SendError: class extends Error {} }));
mountPanel((verb, { ticket: name }) => {
  if (verb === 'around.get') return undefined;
  if (verb !== 'profile.get') return null;
  const ticket = { ...sampleProfile().ticket, name, customer };
  const lookup_trust = { level: trust, evidence: [] };
  return { ok: true, data: sampleProfile({ ticket, bitrix: { lookup_trust } }) };
});

/** The ticket's customer as the next profile has it. */
let customer: string | null;
let trust: 'confirmed' | 'claimed';

const disclosure = () =>
  [...container().querySelectorAll('button')].find((one) => one.textContent?.startsWith('Other tickets'));
const region = () => container().querySelector(`[id="${disclosure()?.getAttribute('aria-controls')}"]`) as HTMLElement;
const text = () => region()?.textContent ?? '';
const shows = (words: string) => until(() => expect(text()).toContain(words));
const links = () => [...region().querySelectorAll('a')].map((a) => [a.textContent, a.getAttribute('href')]);
const yes = (change: Partial<AroundTicket> = {}): Result<AroundTicket> => ({ ok: true, data: sampleAround(change) });
const open = (ticket = '61307') => panel().open({ ticket, refresh: false, returnFocusTo: () => null });
const asked = () => of('around.get');

beforeEach(() => {
  customer = 'Tiệm Hoa Mẫu - 1000069001';
  trust = 'confirmed';
});

test('they are requested once the profile is there, and the profile does not wait for them', async () => {
  open();
  expect(asked()).toEqual([]);
  await shows('Loading other tickets');
  expect(container().textContent).toContain('OMNI SCALE 2025');
  await answer('around.get', 0, yes());
  await shows('Subject of 9');
  expect(asked()).toHaveLength(1);
});

test('what is known of each is said, and everything leads to its page on this site', async () => {
  open();
  await answer('around.get', 0, yes());
  await shows('Subject of 9');
  expect(disclosure()?.textContent).toBe('Other tickets1 open');
  expect(text()).toContain('Last in touch1 hour agoon #9');
  expect(text()).toContain('3h ago');
  expect(text()).toContain('Open · CS 60p · Nguyễn Hoài An');
  expect(text()).toContain('Recently closed (1)');
  expect(text()).toContain('Closed · CS 60p · Nguyễn Hoài An');
  const here = location.origin;
  expect(links()).toEqual([
    ['#9Subject of 93h agoOpen · CS 60p · Nguyễn Hoài An(opens in a new tab)', `${here}/helpdesk/tickets/9`],
    ['#8Subject of 82d agoClosed · CS 60p · Nguyễn Hoài An(opens in a new tab)', `${here}/helpdesk/tickets/8`],
    ['Tiệm Hoa Mẫu - 1000069001(opens in a new tab)', `${here}/helpdesk/customers/Ti%E1%BB%87m`],
    ['Trần Mẫu(opens in a new tab)', `${here}/helpdesk/contacts/M%E1%BA%ABu`],
    ['on #9(opens in a new tab)', `${here}/helpdesk/tickets/9`],
  ]);
});

test('what is missing is said in words, a status of the site’s own as it is', async () => {
  open();
  const bare = { subject: null, team: null, assignees: [], created_at: null, status: 'Chờ kho' };
  await answer('around.get', 0, yes({ open: [sampleTicket('9', bare)], closed: [], last_contact: null }));
  await shows('#9No subject');
  expect(text()).toContain('Chờ kho · not assigned');
  expect(text()).not.toMatch(/Last in touch|Recently closed|NaN/);
});

test('five are shown at first; the others come on demand, and take the focus', async () => {
  open();
  const many = Array.from({ length: 8 }, (_, at) => sampleTicket(String(100 + at)));
  await answer('around.get', 0, yes({ open: many, more_open: true }));
  await shows('Subject of 104');
  expect(text()).not.toContain('Subject of 105');
  expect(disclosure()?.textContent).toContain('8+ open');
  button('Show 3 more')?.click();
  await shows('Subject of 107');
  expect(text()).toContain('There are more open tickets; these are the 8 newest.');
  await until(() => expect(document.activeElement?.textContent).toContain('Subject of 105'));
});

test.each<[string, Partial<AroundTicket>, string | null, 'confirmed' | 'claimed', string]>([
  ['none that the agent may see', { open: [], closed: [] }, 'Shop', 'confirmed', 'None that you can see.'],
  ['none open', { open: [] }, 'Shop', 'confirmed', 'None open that you can see.'],
  [
    'a customer that nobody vouches for',
    { customer: { name: 'Shop', path: '/helpdesk/customers/Shop', linked: true, trust: 'claimed' } },
    'Shop',
    'claimed',
    'these may be someone else’s tickets',
  ],
  ['a claimed company', { customer: null, open: [], closed: [] }, null, 'claimed', 'it is not verified'],
  ['no customer', { customer: null, open: [], closed: [] }, null, 'confirmed', 'once this ticket is linked'],
])('%s: said in words', async (_, around, of, level, words) => {
  [customer, trust] = [of, level];
  open();
  await answer('around.get', 0, yes(around));
  await shows(words);
});

test('a proxy that does not know the request yet: no section', async () => {
  open();
  await answer('around.get', 0, no('route_not_found'));
  await until(() => expect(disclosure()).toBeUndefined());
  expect(container().textContent).toContain('OMNI SCALE 2025');
  expect(container().textContent).not.toContain(around.en.failed);
});

test.each(['en', 'vi'] as const)(
  'any other failure has a text and an action, and can be tried again (%s)',
  async (l) => {
    panel().setLanguage(l);
    for (const code of panelErrorCodes) {
      if (code === 'route_not_found') continue;
      const before = asked().length;
      open();
      await answer('around.get', before, no(code));
      await until(() => expect(container().textContent).toContain(around[l].failed));
      expect(container().textContent).not.toMatch(/undefined|\[object|NaN/);
      panel().setTicket(null);
    }
    open();
    await answer('around.get', asked().length, no('helpdesk_timeout'));
    await until(() => expect(container().textContent).toContain(around[l].failed));
    const tries = asked().length;
    button(l === 'en' ? 'Try again' : 'Thử lại')?.click();
    await answer('around.get', tries, yes());
    await until(() => expect(container().textContent).toContain('Subject of 9'));
  },
);

test.each(['ticket_not_readable', 'unreachable'] as const)('a refresh that fails with %s', async (code) => {
  open();
  await answer('around.get', 0, yes());
  await shows('Subject of 9');
  button('Refresh CRM Profile')?.click();
  await answer('around.get', 1, no(code));
  await shows(around.en.failed);
  expect(text().includes('Subject of 9')).toBe(!failureKinds[code].hides);
});

test('another customer of the same ticket is another question', async () => {
  customer = null;
  open();
  await answer('around.get', 0, yes({ customer: null, open: [] }));
  await shows('once this ticket is linked');
  customer = 'Tiệm Hoa Mẫu - 1000069001';
  button('Refresh CRM Profile')?.click();
  await until(() => expect(text()).toContain('Loading other tickets'));
  asked().at(-1)?.answer(yes());
  await shows('Subject of 9');
});

test('on another ticket the request is cancelled, and a late or foreign answer is never shown', async () => {
  open('1');
  await until(() => expect(asked()).toHaveLength(1));
  panel().setTicket('2');
  await until(() => expect(asked()[0]?.signal?.aborted).toBe(true));
  await answer('around.get', 0, yes({ ticket: '1' }));
  await answer('around.get', 1, yes({ ticket: '1' }));
  await shows('could not be loaded');
  expect(container().textContent).not.toContain('Subject of 9');
});

test('what people wrote is text, and a path to another site is no link', async () => {
  const hostile = '<img src=x onerror="alert(1)"><a href="javascript:alert(2)">x</a>';
  open();
  await shows('Loading other tickets');
  const away = { path: '//evil.example/x' };
  const ticket = sampleTicket('9', { subject: hostile, status: hostile, team: hostile, assignees: [hostile], ...away });
  const record = { name: hostile, ...away };
  const last_contact = { at: '2026-11-20T07:00:00Z', ticket: record };
  await answer('around.get', 0, {
    ok: true,
    data: {
      ...sampleAround(),
      customer: { ...record, linked: true, trust: null },
      contact: record,
      open: [ticket],
      closed: [],
      last_contact,
    },
  });
  await shows(hostile);
  expect(region().querySelector('img, script, [onerror], a')).toBeNull();
  expect(text()).not.toContain('NaN');
});
