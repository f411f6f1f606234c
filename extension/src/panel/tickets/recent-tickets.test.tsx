// @vitest-environment happy-dom
import type { AroundTicket } from '@deskside/shared/around';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Result } from '#messaging/protocol.ts';
import { answer, container, mountPanel, of, openTicket, press } from '#testing/mounted-panel.ts';
import { sampleAround, sampleTicket } from '#testing/sample-answers.ts';
import { sampleOther, sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));
mountPanel((verb, { ticket: name }) => {
  if (verb === 'around.get') return undefined;
  if (verb !== 'profile.get') return null;
  const bitrix = { lookup_trust: { level: trust, evidence: [] }, also_named: other };
  const profile = sampleProfile({ ticket: { name, customer }, bitrix });
  const own = profile.customer && { ...profile.customer, ...(isOthers && { custom_platform_orgid: '5' }) };
  return { ok: true, data: { ...profile, customer: own } };
});

/** The ticket's customer as the next profile has it. */
let customer: string | null;
let trust: 'confirmed' | 'claimed';
/** The ticket's customer stands for another company. */
let isOthers: boolean;
/** Another company that it names. */
let other: ReturnType<typeof sampleOther>[];

const section = () => container().querySelector('section[aria-label="Recent tickets"]');
const fact = () => [...container().querySelectorAll('.facts > div')].at(3)?.textContent;
const yes = (change: Partial<AroundTicket> = {}): Result<AroundTicket> => ({ ok: true, data: sampleAround(change) });
const asked = () => of('around.get');

beforeEach(() => {
  customer = 'Tiệm Hoa Mẫu - 1000069001';
  trust = 'confirmed';
  other = [];
  isOthers = false;
});

test('they are requested once the profile is there, which does not wait for them', async () => {
  openTicket();
  expect(asked()).toEqual([]);
  await until(() => expect(fact()).toBe('TicketsLoading…'));
  expect(section()).toBeNull();
  await answer('around.get', 0, yes());
  await until(() => expect(section()?.textContent).toContain('Subject of 9'));
  expect(asked()).toHaveLength(1);
  expect(fact()).toBe('Tickets2 open12 in 90 days');
});

test('this one comes first, then the newest; each leads to its page, and All has their true number', async () => {
  openTicket();
  await answer('around.get', 0, yes());
  await until(() => expect(section()).not.toBeNull());
  expect([...(section()?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual([
    ...['Không in được đơnthis one', 'Subject of 9#9, Open, CS 60p (opens in a new tab)3h'],
    'Subject of 8#8, Closed, CS 60p (opens in a new tab)3h',
  ]);
  const links = [...(section()?.querySelectorAll('a') ?? [])].map((a) => [a.textContent, a.getAttribute('href')]);
  expect(links[0]).toEqual(['All 41', `${location.origin}/helpdesk/customers/Ti%E1%BB%87m`]);
  expect(links[1]?.[1]).toBe(`${location.origin}/helpdesk/tickets/9`);
});

test('what is missing is said in words, a status of the site’s own as it is', async () => {
  openTicket();
  const bare = { subject: null, team: null, created_at: null, status: 'Chờ kho' };
  await answer('around.get', 0, yes({ recent: [sampleTicket('9', bare)] }));
  await until(() => expect(section()?.textContent).toContain('No subject#9, Chờ kho'));
  expect(section()?.textContent).not.toMatch(/NaN|null/);
});

test('they are hidden where nobody vouches for the company, or the helpdesk’s customer', async () => {
  trust = 'claimed';
  openTicket();
  await answer('around.get', 0, yes({ customer: null, recent: [] }));
  await until(() => expect(fact()).toBe('TicketsHiddenuntil verified'));
  expect(section()).toBeNull();
});

test.each([
  ['confirmed', 'until linked'],
  ['claimed', 'until verified'],
] as const)('beside another of the ticket’s companies, %s, none of the first one’s are shown', async (level, said) => {
  other = [{ ...sampleOther(), trust: { level, evidence: [] } }];
  openTicket();
  await answer('around.get', 0, yes());
  await until(() => expect(section()).not.toBeNull());
  await press('Choose…');
  const [, second] = container().querySelectorAll<HTMLElement>('.sheet li button');
  second?.click();
  await until(() => expect(container().querySelector('.sheet')).toBeNull());
  expect(fact()).toBe(`TicketsHidden${said}`);
  expect(section()).toBeNull();
});

test('they are hidden where nobody vouches for the customer that the ticket is linked to, unless that is the company on screen', async () => {
  const { customer: linked } = sampleAround();
  const unvouched = yes({ customer: linked && { ...linked, trust: 'claimed' } });
  openTicket();
  await answer('around.get', 0, unvouched);
  await until(() => expect(section()).not.toBeNull());
  isOthers = true;
  openTicket('61307', { refresh: true });
  await until(() => expect(fact()).toBe('TicketsHiddenuntil verified'));
  expect(section()).toBeNull();
});

test('a ticket that was linked to another customer asks again', async () => {
  openTicket();
  await answer('around.get', 0, yes());
  await until(() => expect(section()).not.toBeNull());
  customer = 'Khách lẻ';
  openTicket('61307', { refresh: true });
  await until(() => expect(asked().length).toBeGreaterThan(1));
});
