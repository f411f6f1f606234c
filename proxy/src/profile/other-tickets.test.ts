import { AroundTicket } from '@deskside/shared/around';
import type { OrgId } from '@deskside/shared/orgid';
import type { TrustLevel } from '@deskside/shared/status';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeCrm, fakeLayers } from '#crm/testing/fakes.ts';
import { growing as other, medium as theirs } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { cs } from '#routing/testing/pipeline-rules.ts';
import { company } from '#store/testing/sample-company.ts';
import { newDesk } from '#testing/desk.ts';
import { type callerOf, sender } from '#testing/desk-seed.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { listAround } from './other-tickets.ts';

const linked = { custom_orgid: other, customer: 'Shop' };

/**
 * The ticket 61307, `made` of these values; the customers Shop and Gốm have one company each, and a ticket each is open.
 * `trusts`: how well which org id is vouched for; without any, nothing can be judged.
 */
function world(made: Record<string, unknown>, trusts: Partial<Record<string, TrustLevel>> = {}) {
  const desk = newDesk();
  const { clock } = desk;
  desk.customers.set('Shop', { platformOrgId: theirs });
  desk.customers.set('Gốm', { platformOrgId: other });
  for (const name of ['Khách lẻ', 'Another', `Shop - ${theirs}`]) desk.customers.set(name);
  desk.insert('7', { subject: 'Gốm', customer: 'Gốm' });
  desk.insert('8', { subject: 'Cũ', customer: 'Shop' });
  clock.advance(1_000);
  desk.personSetsStatus('8', 'Closed');
  clock.advance(1_000);
  desk.insert('9', { subject: 'In', customer: 'Shop', agent_group: cs, description: 'Không in được' });
  desk.personAssigns('9', 'an@desk.example');
  // Who is signed in has said who they are.
  const isSignedIn = Object.values(trusts).includes('confirmed');
  const { customer = null, ...values } = made;
  desk.insert('61307', { ...values, ...(isSignedIn && { owner: sender }) });
  if (customer !== null) desk.setsCustomer('61307', String(customer));
  // What is vouched for has the sender's address in the CRM.
  const emailsOf = (orgId: OrgId) => (['likely', 'confirmed'].includes(trusts[orgId] ?? '') ? [sender] : []);
  const companies = [theirs, other].map((orgId) => [orgId, company(orgId, { emails: emailsOf(orgId) })] as const);
  const crm = fakeCrm(Object.fromEntries(companies));
  const ctx = testContext({ desk, crm: fakeLayers({ crm, clock }) });
  if (Object.keys(trusts).length === 0)
    desk.helpdesk.people.isDesk = async () => Promise.reject(new HelpdeskError('unavailable', 'down'));
  const ask = async (who: Parameters<typeof callerOf>[0] = 'an') =>
    AroundTicket.parse(await listAround(callBy(ctx, who), { ticket: '61307' }));
  /** How often tickets were listed. */
  const listed = () => desk.calls.filter((call) => call === 'ticketLists.ofCustomerAs').length;
  return { ask, clock, crm, desk, gate: ctx.gate, helpdesk: desk.helpdesk, listed };
}

afterEach(() => void vi.useRealTimers());

test('a ticket’s customer: its other tickets as the caller sees them, and whether the sender is known there', async () => {
  const w = world(linked, { [theirs]: 'likely', [other]: 'claimed' });
  const at = (seconds: number) => new Date(w.clock() - seconds * 1_000).toISOString();
  const path = (name: string) => ({ name, path: `/helpdesk/tickets/${name}` });
  expect(await w.ask()).toEqual({
    ticket: '61307',
    customer: { name: 'Shop', path: '/helpdesk/customers/Shop', linked: true, trust: 'likely' },
    recent: [
      { ...path('9'), subject: 'In', status: 'Open', is_open: true, team: cs, created_at: at(0) },
      { ...path('8'), subject: 'Cũ', status: 'Closed', is_open: false, team: null, created_at: at(2) },
    ],
    counts: { open: 2, in_90_days: 3, all: 3, is_more: false },
  });
  expect(w.listed()).toBe(1);
  const users = w.desk.simulator.journal.filter(({ query }) => query.filters?.includes('"customer"'));
  expect(new Set(users.map(({ user }) => user))).toEqual(new Set(['an@desk.example']));
  expect(w.crm.requests.map(({ orgIds }) => orgIds)).toEqual([[theirs]]);
});

test.each<[string, Record<string, unknown>, Partial<Record<string, TrustLevel>>, TrustLevel | null]>([
  ['a claim is told as one', linked, { [theirs]: 'claimed' }, 'claimed'],
  ['what cannot be judged is told as unknown', linked, {}, null],
  ['a customer without org id cannot be judged', { ...linked, customer: 'Khách lẻ' }, { [theirs]: 'confirmed' }, null],
  [
    'the org id in the name counts',
    { ...linked, customer: `Shop - ${theirs}` },
    { [theirs]: 'confirmed' },
    'confirmed',
  ],
])('linked: %s', async (_, made, trusts, trust) => {
  expect((await world(made, trusts).ask()).customer).toMatchObject({ linked: true, trust });
});

test.each(['confirmed', 'likely'] as const)('without a customer: that of a company that is %s', async (level) => {
  const w = world({ custom_orgid: other }, { [other]: level });
  const around = await w.ask();
  expect(around.customer).toMatchObject({ name: 'Gốm', linked: false, trust: level });
  expect(around.recent.map(({ name }) => name)).toEqual(['7']);
});

test.each<[string, OrgId | null, Partial<Record<string, TrustLevel>>]>([
  ['a claimed company', other, { [other]: 'claimed' }],
  ['a company that cannot be judged', other, {}],
  ['a company that is no customer yet', theirs, { [theirs]: 'confirmed' }],
  ['no org id', null, {}],
])('without a customer, %s: nothing is listed', async (_, custom_orgid, trusts) => {
  const w = world({ custom_orgid }, trusts);
  w.desk.remove('HD Customer', 'Shop');
  expect(await w.ask()).toMatchObject({ customer: null, recent: [], counts: { all: 0 } });
  expect(w.listed()).toBe(0);
});

test('an answer is for its caller only, for five seconds, and until the ticket has another customer', async () => {
  const w = world(linked, { [theirs]: 'likely' });
  await Promise.all([w.ask(), w.ask(), w.ask('binh')]);
  await w.ask();
  expect(w.listed()).toBe(2);
  w.clock.advance(5_001);
  await w.ask();
  expect(w.listed()).toBe(3);
  w.desk.setsCustomer('61307', 'Another');
  w.gate.forgetTicket('61307');
  expect((await w.ask()).customer?.name).toBe('Another');
});

test('a helpdesk that fails is told by its code, and the failure is not kept', async () => {
  const w = world(linked, { [theirs]: 'likely' });
  const { ofCustomerAs: readCustomerTickets } = w.helpdesk.ticketLists;
  w.helpdesk.ticketLists.ofCustomerAs = async () => Promise.reject(new HelpdeskError('unavailable', 'down'));
  await expect(w.ask()).rejects.toMatchObject({ code: 'helpdesk_unavailable' });
  w.helpdesk.ticketLists.ofCustomerAs = readCustomerTickets;
  expect((await w.ask()).recent).toHaveLength(2);
});

test('a helpdesk that does not answer is not waited for longer than eight seconds', async () => {
  vi.useFakeTimers();
  const w = world(linked, { [theirs]: 'likely' });
  w.helpdesk.ticketLists.ofCustomerAs = () => new Promise(() => {});
  const asked = expect(w.ask()).rejects.toMatchObject({ code: 'helpdesk_timeout' });
  await vi.advanceTimersByTimeAsync(8_000);
  await asked;
});

test('tickets of more than 90 days ago are not among the recent ones; four others are shown', async () => {
  const w = world(linked, { [theirs]: 'likely' });
  w.clock.advance(91 * 24 * 60 * 60_000);
  for (const name of ['20', '21', '22', '23', '24']) w.desk.insert(name, { customer: 'Shop' });
  const { recent, counts } = await w.ask();
  expect(recent).toHaveLength(4);
  expect(counts).toEqual({ open: 7, in_90_days: 5, all: 8, is_more: false });
});
