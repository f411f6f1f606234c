import { AroundTicket } from '@deskside/shared/around';
import type { OrgId } from '@deskside/shared/orgid';
import type { TrustLevel } from '@deskside/shared/status';
import { afterEach, expect, test, vi } from 'vitest';
import { createAgentGate } from '#app/access/agent-gate.ts';
import { rememberedIn } from '#app/remembered.ts';
import { fakeHelpdesk, hdCustomer, ticketFile } from '#app/testing/fake-helpdesk.ts';
import { askCrmOf, company, fakeCache, fakeClock, fakeCrm, fakeMemory, uncounted } from '#app/testing/fakes.ts';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import { lifetimesOf } from '#domain/crm/freshness.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { CustomerTicketList } from '#ports/helpdesk/customer-tickets.ts';
import { type Credential, HelpdeskError, type TicketFile } from '#ports/helpdesk/helpdesk.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { listAround } from './list-around.ts';

const theirs = '1000069001' as OrgId;
const other = '200000376001' as OrgId;
const customer = hdCustomer('Shop', { custom_platform_orgid: theirs });
const linkedFile = (change: Parameters<typeof ticketFile>[2] = {}): TicketFile => ({
  ...ticketFile('61307', other, { customer: customer.name, contact: 'Vy', ...change }),
  customer,
});
const list: CustomerTicketList = {
  open: [{ name: '9', subject: 'In', status: 'Open', team: 'T', assignees: ['An'], createdAt: 1_000, closedAt: null }],
  moreOpen: false,
  closed: [{ name: '8', subject: null, status: 'Closed', team: null, assignees: [], createdAt: null, closedAt: 2_000 }],
  lastContact: { at: 3_000, ticket: '9' },
};

/** The verb over fake ports. `trusts`: who vouches for which org id; anything else cannot be judged. */
function world(file: TicketFile, trusts: Partial<Record<string, TrustLevel>> = {}) {
  const clock = fakeClock();
  const memory = fakeMemory(clock);
  const agent = { id: 'an@desk.example', fullName: 'An', isAgent: true, language: null };
  const users = {
    'token an:an': agent,
    'token binh:binh': { ...agent, id: 'binh@desk.example' },
    'token vy:vy': { ...agent, id: 'vy@shop.example', isAgent: false },
  };
  const tickets = { [file.ticket.name]: file };
  const listed: string[] = [];
  const { adoptions, bindings, decisions, rejections, syncLog } = memoryStore();
  // An agent entered what is confirmed; what is likely has the sender's address in the CRM.
  for (const [value, level] of Object.entries(trusts)) {
    const trust = { level: 'confirmed' as const, evidence: [{ code: 'entered_by_agent' as const, value: agent.id }] };
    const org_id = { value: value as OrgId, source: 'ticket', field: 'custom_orgid', trust };
    if (level === 'confirmed') void decisions.add(decisionDraft(file.ticket.name, { org_id }), 0, null);
  }
  const emailsOf = (orgId: OrgId) => (trusts[orgId] === 'likely' ? ['vy@shop.example'] : []);
  const companies = [theirs, other].map((orgId) => [orgId, company(orgId, { emails: emailsOf(orgId) })] as const);
  const crm = fakeCrm(Object.fromEntries(companies));
  const cache = fakeCache();
  const helpdesk = Object.assign(fakeHelpdesk(tickets, users), {
    async readSenderTies(_sender: string, orgId: OrgId) {
      if (trusts[orgId] === undefined) throw new HelpdeskError('unavailable', 'down');
      return { customers: [] };
    },
    async readCustomerTickets({ authorization }: Credential, name: string, except: string) {
      listed.push(`${authorization} ${name} without ${except}`);
      return list;
    },
    readPaths: async () => (kind: string, name: string) => `/helpdesk/${kind}s/${encodeURIComponent(name)}`,
    findCustomerOf: async (orgId: OrgId) =>
      orgId === other ? { name: 'Gốm', segment: null, shopPlan: null, checkedAt: null } : null,
  });
  const gate = createAgentGate({ helpdesk, memory });
  const ctx = {
    adoptions,
    bindings,
    crm: {
      askCrm: askCrmOf({ crm, cache, clock }),
      cache,
      clock,
      portal: crm.portal,
      lifetimes: lifetimesOf(60),
      nameSegments: (found: CrmCompany[]) => found,
      metrics: uncounted,
    },
    crmEnabled: true,
    crmTimeoutMs: 15_000,
    decisions,
    gate,
    helpdesk,
    rejections,
    remembered: rememberedIn(memory),
    syncLog,
  };
  const ask = async (who = 'an', ticket = file.ticket.name) => {
    const caller = { authorization: `token ${who}:${who}`, digest: who };
    return AroundTicket.parse(await listAround(ctx, { caller, ticket }, new AbortController().signal));
  };
  return { ask, clock, crm, gate, helpdesk, listed, tickets };
}

afterEach(() => void vi.useRealTimers());

test('a ticket’s customer: its other tickets as the caller sees them, and whether the sender is known there', async () => {
  const w = world(linkedFile(), { [theirs]: 'likely', [other]: 'confirmed' });
  expect(await w.ask()).toEqual({
    ticket: '61307',
    customer: { name: 'Shop', path: '/helpdesk/customers/Shop', linked: true, trust: 'likely' },
    contact: { name: 'Vy', path: '/helpdesk/contacts/Vy' },
    open: [
      {
        name: '9',
        path: '/helpdesk/tickets/9',
        subject: 'In',
        status: 'Open',
        team: 'T',
        assignees: ['An'],
        created_at: '1970-01-01T00:00:01.000Z',
        closed_at: null,
      },
    ],
    more_open: false,
    closed: [
      {
        name: '8',
        path: '/helpdesk/tickets/8',
        subject: null,
        status: 'Closed',
        team: null,
        assignees: [],
        created_at: null,
        closed_at: '1970-01-01T00:00:02.000Z',
      },
    ],
    last_contact: { at: '1970-01-01T00:00:03.000Z', ticket: { name: '9', path: '/helpdesk/tickets/9' } },
  });
  expect(w.listed).toEqual(['token an:an Shop without 61307']);
  expect(w.crm.requests.map(({ orgIds }) => orgIds)).toEqual([[theirs]]);
});

test.each<[string, TicketFile, Partial<Record<string, TrustLevel>>, TrustLevel | null]>([
  ['a claim is told as one', linkedFile(), { [theirs]: 'claimed' }, 'claimed'],
  ['what cannot be judged is told as unknown', linkedFile(), {}, null],
  [
    'a customer without org id cannot be judged',
    { ...linkedFile(), customer: hdCustomer('Khách lẻ') },
    { [theirs]: 'confirmed' },
    null,
  ],
  [
    'the org id in the name counts',
    { ...linkedFile({ customer: `Shop - ${theirs}` }), customer: hdCustomer(`Shop - ${theirs}`) },
    { [theirs]: 'confirmed' },
    'confirmed',
  ],
])('linked: %s', async (_, file, trusts, trust) => {
  expect((await world(file, trusts).ask()).customer).toMatchObject({ linked: true, trust });
});

test.each(['confirmed', 'likely'] as const)('without a customer: that of a company that is %s', async (level) => {
  const w = world(ticketFile('61307', other), { [other]: level });
  const around = await w.ask();
  expect(around.customer).toMatchObject({ name: 'Gốm', linked: false, trust: level });
  expect(around.open).toHaveLength(1);
  expect(w.listed).toEqual(['token an:an Gốm without 61307']);
});

test.each<[string, TicketFile, Partial<Record<string, TrustLevel>>]>([
  ['a claimed company', ticketFile('61307', other), { [other]: 'claimed' }],
  ['a company that cannot be judged', ticketFile('61307', other), {}],
  ['a company that is no customer yet', ticketFile('61307', theirs), { [theirs]: 'confirmed' }],
  ['no org id', ticketFile('61307', null), {}],
])('without a customer, %s: nothing is listed', async (_, file, trusts) => {
  const w = world(file, trusts);
  expect(await w.ask()).toMatchObject({ customer: null, contact: null, open: [], closed: [], last_contact: null });
  expect(w.listed).toEqual([]);
});

test('only agents who may read the ticket are answered', async () => {
  const w = world(linkedFile(), {});
  await expect(w.ask('vy')).rejects.toMatchObject({ code: 'not_an_agent' });
  await expect(w.ask('an', '999')).rejects.toMatchObject({ code: 'ticket_not_found' });
  w.helpdesk.denied.add('61307');
  await expect(w.ask('binh')).rejects.toMatchObject({ code: 'ticket_not_readable' });
  expect(w.listed).toEqual([]);
});

test('an answer is for its caller only, for five seconds, and until the ticket has another customer', async () => {
  const w = world(linkedFile(), { [theirs]: 'likely' });
  await Promise.all([w.ask(), w.ask(), w.ask('binh')]);
  await w.ask();
  expect(w.listed).toHaveLength(2);
  w.clock.advance(5_001);
  await w.ask();
  expect(w.listed).toHaveLength(3);
  w.tickets['61307'] = { ...linkedFile({ customer: 'Another' }), customer: hdCustomer('Another') };
  w.gate.forgetTicket('61307');
  expect((await w.ask()).customer?.name).toBe('Another');
});

test('a helpdesk that fails is told by its code, and the failure is not kept', async () => {
  const w = world(linkedFile(), { [theirs]: 'likely' });
  const { readCustomerTickets } = w.helpdesk;
  w.helpdesk.readCustomerTickets = async () => Promise.reject(new HelpdeskError('unavailable', 'down'));
  await expect(w.ask()).rejects.toMatchObject({ code: 'helpdesk_unavailable' });
  w.helpdesk.readCustomerTickets = readCustomerTickets;
  expect((await w.ask()).open).toHaveLength(1);
});

test('a helpdesk that does not answer is not waited for longer than eight seconds', async () => {
  vi.useFakeTimers();
  const w = world(linkedFile(), { [theirs]: 'likely' });
  w.helpdesk.readCustomerTickets = () => new Promise(() => {});
  const asked = expect(w.ask()).rejects.toMatchObject({ code: 'helpdesk_timeout' });
  await vi.advanceTimersByTimeAsync(8_000);
  await asked;
});
