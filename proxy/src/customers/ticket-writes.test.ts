import type { LookupTrust } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { searchCompany } from '#crm/lookup.ts';
import { failed } from '#crm/testing/fakes.ts';
import { matched, notFound, sampleCompany } from '#crm/testing/sample-companies.ts';
import type { TestAnswer } from '#crm/testing/test-answer.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { TeamReason } from '#helpdesk/fields.ts';
import { newDesk } from '#testing/desk.ts';
import { sender, service } from '#testing/desk-seed.ts';
import { agent, enrichmentWorld, newName, orgId, otherOrgId, ticket } from '#testing/enrichment-kit.ts';
import { rejectEarlier } from '#testing/rejected.ts';
import { openForWriting, type WritableCase, withoutCrm } from '#trust/case.ts';
import { enrichRecords } from './enrich.ts';
import {
  type CompanyWrite,
  giveBackCompanyData,
  linkTicket,
  noteCheck,
  type ShownCompany,
  writeCompanyData,
} from './ticket-writes.ts';

type World = ReturnType<typeof enrichmentWorld>;

const stranger = 'ke@hopthu.example';
const onPortal = { custom_orgid: orgId, owner: sender, raised_by: sender, via_customer_portal: 1 };
/** The CRM knows the sender's address, so the match is no mere claim. */
const known = () => matched(sampleCompany({ emails: [sender] }));
const storedIn = (w: World) => w.desk.routingOf(ticket);
/** What was written to the ticket, but for its link. */
const routes = (w: World) => w.desk.writes.filter((write) => write.startsWith('route'));

/** What is logged as an error from now on. */
function watchReports(w: World) {
  const reported = vi.spyOn(w.ctx.logger, 'error');
  onTestFinished(() => reported.mockRestore());
  return reported;
}

/** A stranger's Contact has the sender's address. */
function contactOf(w: World) {
  w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
  w.desk.put('Contact', stranger, { owner: stranger, email_id: sender });
  return () => w.desk.put('HD Ticket', ticket, { contact: stranger });
}

describe('linking the ticket (decisions 9 and 11)', () => {
  const theirs = (w: World) => {
    w.desk.customers.set('theirs', { platformOrgId: otherOrgId });
    w.link('theirs');
  };
  const unconfirmed = { code: 'claim_not_confirmed', asked: newName, found: '' };
  const otherCompany = { code: 'customer_has_other_orgid', asked: orgId, found: otherOrgId };
  const otherCustomer = { code: 'ticket_has_other_customer', asked: newName, found: 'theirs' };
  const meanwhile = (w: World) => void w.desk.before('link', () => w.link('theirs'));
  const knowing = (given: (w: World) => void) => (w: World) => {
    w.crm.answer = known;
    given(w);
  };

  test.each<[string, Record<string, unknown>, (w: World) => unknown, object]>([
    ['a claim, where claims are held', { claims: 'hold' }, () => {}, unconfirmed],
    ['a claim, where somebody else reads the ticket', {}, (w) => contactOf(w)(), unconfirmed],
    ['a claim that an agent has rejected', {}, (w) => rejectEarlier(w.db, { orgId }), unconfirmed],
    ['a claim, where the ticket has a customer', {}, theirs, otherCompany],
    ['what is more than a claim, where it has one', {}, knowing(theirs), otherCompany],
    ['a claim, where somebody gives it one meanwhile', {}, meanwhile, otherCustomer],
    ['what is more, where somebody does', {}, knowing(meanwhile), otherCustomer],
  ])('is not done for %s', async (_, options, given, conflict) => {
    const w = enrichmentWorld({ made: { custom_orgid: orgId, raised_by: sender }, ...options });
    await given(w);
    const data = await w.enrich({ ticket });
    const customer = w.desk.customerOf(ticket);
    expect(customer).toBe(conflict === unconfirmed ? null : 'theirs');
    expect(data).toMatchObject({
      hd_customer: newName,
      ticket: { name: ticket, linked: false, previous_customer: customer },
      conflict,
    });
    expect(w.desk.customers.get('theirs')?.platformOrgId).toBe(conflict === otherCompany ? otherOrgId : undefined);
    // The time of the check is not that of another company's customer.
    if (customer !== null) expect(routes(w)).toEqual([]);
  });

  test.each<[string, ClaimsMode, () => TestAnswer]>([
    ['a claim, where claims are accepted', 'accept', () => matched(sampleCompany())],
    ['what is more than a claim', 'hold', known],
  ])('is done for %s, and told with what the ticket had before', async (_, claims, answer) => {
    const w = enrichmentWorld({ claims, made: onPortal });
    w.crm.answer = answer;
    expect((await w.enrich({ ticket })).ticket).toEqual({ name: ticket, linked: true, previous_customer: null });
    expect(w.desk.customerOf(ticket)).toBe(newName);
    expect((await w.enrich({ ticket })).ticket).toEqual({ name: ticket, linked: true, previous_customer: newName });
    expect(await w.enrich()).not.toHaveProperty('ticket');
  });

  test('the caller’s judgement counts where there is one', async () => {
    const w = enrichmentWorld({ claims: 'hold' });
    const ctx = { ...w.ctx, crm: w.layers };
    const opened = await openForWriting(ctx, ticket, { lane: 'open', only: orgId });
    const linked = async (level: 'claimed' | 'likely') => {
      const companies = opened.companies.map((company) => ({ ...company, trust: { level, evidence: [] } }));
      const lookup = await searchCompany(ctx, orgId, { refresh: false, lane: 'open' });
      return (await enrichRecords(ctx, { lookup, mends: false, opened: { ...opened, companies } })).data.ticket?.linked;
    };
    expect([await linked('claimed'), await linked('likely')]).toEqual([false, true]);
  });

  test('what is remembered of a linked ticket is dropped', async () => {
    const w = enrichmentWorld();
    const signal = new AbortController().signal;
    await w.ctx.gate.openTicket(agent, ticket, signal);
    await w.enrich({ ticket });
    const before = w.desk.calls.filter((call) => call === 'tickets.readAs').length;
    await w.ctx.gate.openTicket(agent, ticket, signal);
    expect(w.desk.calls.filter((call) => call === 'tickets.readAs')).toHaveLength(before + 1);
  });
});

test.each<ClaimsMode>(['accept', 'hold'])(
  'a ticket that somebody else reads from the moment at which it is linked loses its customer again (claims %s)',
  async (claims) => {
    const w = enrichmentWorld({ claims });
    w.crm.answer = known;
    w.desk.before('link', () => contactOf(w)());
    await expect(w.enrich({ ticket })).rejects.toMatchObject({
      code: 'ticket_read_by_other',
      conflict: { code: 'read_by_other', asked: ticket, found: stranger },
    });
    expect(w.desk.customerOf(ticket)).toBeNull();
    expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: null });
  },
);

test('enrichment for a ticket writes when the CRM was asked, and takes back that it had nothing', async () => {
  const w = enrichmentWorld({ made: onPortal });
  w.crm.answer = known;
  const checked = w.clock();
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: checked, crmNotFoundAt: null });
  w.clock.advance(60_000);
  await w.enrich({ ticket });
  expect(routes(w)).toEqual([`route ${ticket} crmLastCheckedAt`]);
});

test.each([
  ['of a mere claim', () => matched(sampleCompany())],
  ['of a claim that the CRM does not know', () => notFound],
])('where claims are held, nothing is written for a check %s', async (_, answer) => {
  const w = enrichmentWorld({ made: onPortal, claims: 'hold' });
  w.crm.answer = answer;
  await w.enrich({ ticket });
  expect(routes(w)).toEqual([]);
});

test.each(['hold', 'accept'] as const)(
  'that the CRM failed is on the ticket until it answers (claims %s)',
  async (claims) => {
    const w = enrichmentWorld({ made: onPortal, claims });
    w.crm.answer = () => failed;
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ status: 'API Error', error: 'CRM error: timeout' });
    expect(storedIn(w).crmLastCheckedAt).toBeNull();
    w.crm.answer = () => matched(sampleCompany());
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ status: 'Complete', error: null });
  },
);

test.each(['hold', 'accept'] as const)(
  'a stranger whom the helpdesk makes its contact on our own write reads nothing of it (claims %s)',
  async (claims) => {
    const w = enrichmentWorld({ made: { ...onPortal, customer: 'Shop' }, claims });
    w.desk.customers.edit('Shop', { platformOrgId: orgId });
    w.crm.answer = known;
    w.desk.before('route', () => contactOf(w)());
    for (const _ of [1, 2]) {
      await w.enrich({ ticket });
      expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: null, crmNotFoundAt: null });
      expect(w.desk.customerOf(ticket)).toBe('Shop');
    }
  },
);

test('what stands on a ticket that a stranger reads by now is taken off with the next check, and that is reported', async () => {
  const w = enrichmentWorld({ made: onPortal });
  w.crm.answer = known;
  await w.enrich({ ticket });
  expect(storedIn(w).crmLastCheckedAt).toBe(w.clock());
  contactOf(w)();
  const reported = watchReports(w);
  await w.enrich({ ticket });
  expect(storedIn(w).crmLastCheckedAt).toBeNull();
  expect(reported.mock.calls).toMatchObject([[{ fault: 'company_data_taken_back', ticket }, expect.anything()]]);
});

test('of a ticket that a stranger has read from the beginning nothing is reported, for nothing stood there', async () => {
  const w = enrichmentWorld({ made: onPortal });
  contactOf(w)();
  const reported = watchReports(w);
  w.crm.answer = () => failed;
  await w.enrich({ ticket });
  expect(storedIn(w).error).toBe('CRM error: timeout');
  expect(reported).not.toHaveBeenCalled();
});

test('that a failure of the CRM is over is not reported as data taken back', async () => {
  const w = enrichmentWorld({ made: onPortal });
  contactOf(w)();
  const reported = watchReports(w);
  w.crm.answer = () => failed;
  await w.enrich({ ticket });
  w.crm.answer = known;
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ status: 'Complete', error: null });
  expect(reported).not.toHaveBeenCalled();
});

test('what stands on a ticket that nobody else reads stays where its company turns out to be a claim', async () => {
  const w = enrichmentWorld({ made: onPortal, claims: 'hold' });
  w.crm.answer = known;
  await w.enrich({ ticket });
  w.crm.answer = () => matched(sampleCompany());
  await w.enrich({ ticket });
  expect(storedIn(w).crmLastCheckedAt).toBe(w.clock());
});

test('another error on the ticket is not taken back by a check', async () => {
  const w = enrichmentWorld({ made: onPortal });
  const error = 'Routing: target team CS 60p does not exist.';
  w.desk.put('HD Ticket', ticket, {
    custom_platform_profile_status: 'API Error',
    custom_platform_profile_error: error,
  });
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ status: 'API Error', error });
});

test('a helpdesk that fails at this does not fail the enrichment, and another’s write is not lost', async () => {
  const w = enrichmentWorld({ made: onPortal });
  w.crm.answer = known;
  w.desk.before('link', () => w.desk.failNext('tickets.write', new HelpdeskError('unavailable', 'down')));
  expect((await w.enrich({ ticket })).status).toBe('matched');
  w.desk.before('route', () => w.desk.personSetsStatus(ticket, 'Replied'));
  await w.enrich({ ticket });
  expect(w.desk.ticket(ticket).status).toBe('Replied');
  expect(storedIn(w).crmLastCheckedAt).toBe(w.clock());
});

describe('who may', () => {
  test('an agent who may only read the ticket may not', async () => {
    const w = enrichmentWorld();
    w.desk.agentsMay('HD Ticket', { write: false });
    await expect(w.enrich({ ticket })).rejects.toMatchObject({ code: 'ticket_not_writable' });
    expect([w.asked, w.desk.writes]).toEqual([[], []]);
  });

  test('a service account that the helpdesk refuses does not look like a refusal of the caller', async () => {
    const w = enrichmentWorld();
    w.desk.simulator.setRoles(service, []);
    await expect(w.enrich()).rejects.toMatchObject({ code: 'helpdesk_refused' });
  });
});

describe('the door', () => {
  const teamOnly = 'Team=CS' as TeamReason;
  const told: CompanyWrite = { data: { segment: 'Medium', reason: 'Segment=Medium' }, otherwise: { reason: teamOnly } };

  function world({ shows = {}, isRead = false }: { shows?: Record<string, string>; isRead?: boolean }) {
    const w = enrichmentWorld({ made: onPortal, claims: 'hold' });
    w.desk.put('HD Ticket', ticket, shows);
    if (isRead) contactOf(w)();
    const reports = watchReports(w);
    return { ...w, reports: () => reports.mock.calls.length, open: () => openForWriting(w.ctx, ticket, withoutCrm) };
  }

  const medium = { custom_customer_segment: 'Medium' };
  test.each<[string, Parameters<typeof world>[0] & { isRejected?: boolean }, CompanyWrite, object]>([
    ['what tells nothing is written for a claim', {}, told, { refused: 'claim', segment: null, reason: teamOnly }],
    [
      'so it is for a rejected company, by an agent’s word, too',
      { isRejected: true },
      { ...told, isAgentsWord: true },
      { refused: 'rejected', segment: null, reason: teamOnly },
    ],
    [
      'blanks for a claim are no matter of other readers',
      { shows: medium },
      { data: {}, plain: { segment: '' } },
      { refused: 'claim', segment: null, reported: 0 },
    ],
    [
      'what tells nothing is written where somebody else reads, and what stood there of the company goes',
      { shows: medium, isRead: true },
      told,
      { refused: 'read_by_other', segment: null, reason: teamOnly, reported: 1 },
    ],
    [
      'what was written just before goes as well, where somebody else reads by now',
      { shows: medium, isRead: true },
      { data: { reason: 'Segment=Medium' }, earlier: { segment: 'Medium' } },
      { refused: 'read_by_other', segment: null, reason: null, reported: 1 },
    ],
    [
      'what an undo takes off is no news',
      { shows: medium, isRead: true },
      { data: { segment: 'SME' }, over: { segment: 'Medium' } },
      { refused: 'read_by_other', segment: null, reported: 0 },
    ],
    ['by an agent’s word all of it', {}, { ...told, isAgentsWord: true }, { refused: null, segment: 'Medium' }],
  ])('%s', async (_, { isRejected = false, ...given }, write, expected) => {
    const w = world(given);
    const opened = await w.open();
    const [company] = opened.companies;
    const answer = await writeCompanyData(w.ctx, opened, company ? { ...company, isRejected } : null, write);
    const { segment, reason } = storedIn(w);
    expect({ ...Object(answer), segment, reason, reported: w.reports() }).toMatchObject(expected);
  });

  const given = [{ field: 'custom_customer_segment', from: 'Medium', to: null }];

  test('gives nothing back where somebody else reads', async () => {
    const w = world({ isRead: true });
    expect(await giveBackCompanyData(w.ctx, await w.open(), given)).toEqual({
      changes: [],
      customer: null,
      contact: stranger,
      otherReader: stranger,
      refused: 'read_by_other',
    });
    expect(storedIn(w).segment).toBeNull();
  });

  const likely = (code: 'sender_email_of_company' | 'linked_by_agent', value: string): LookupTrust => ({
    level: 'likely',
    evidence: [{ code, value }],
  });
  const byOther = likely('sender_email_of_company', stranger);
  const synced = { orgId, crmCompanyId: null, sender };

  test.each<[string, Partial<ShownCompany>, boolean?]>([
    ['that was shown at the sender’s own address', { trust: likely('sender_email_of_company', sender) }, true],
    ['that was shown at another one’s', { trust: byOther }],
    ['that was shown by a Sync that no longer stands', { trust: likely('linked_by_agent', 'an@desk.example') }],
    ['that a Sync has told the sender since', { trust: byOther, sync: synced }, true],
    ['that a Sync has told somebody else since', { trust: byOther, sync: { ...synced, sender: stranger } }],
    ['where a Sync told the sender of another', { trust: byOther, sync: { ...synced, orgId: otherOrgId } }],
  ])('judges, where claims are held, whether to give back a company %s', async (_, shown, isTheirs = false) => {
    const w = world({});
    const before: ShownCompany = { company: { orgId, crmCompanyId: null }, trust: null, sync: null, ...shown };
    const answer = await giveBackCompanyData(w.ctx, await w.open(), given, before);
    expect(answer).toMatchObject({ refused: isTheirs ? null : 'claim' });
    expect(storedIn(w).segment).toBe(isTheirs ? 'Medium' : null);
    const accepting = { ...w.ctx, routing: { ...w.ctx.routing, claims: 'accept' as const } };
    await giveBackCompanyData(accepting, await w.open(), given, before);
    expect(storedIn(w).segment).toBe('Medium');
  });

  test('takes nothing off where somebody has written first', async () => {
    const w = world({ shows: medium, isRead: true });
    const opened = await w.open();
    w.desk.personSetsStatus(ticket, 'Replied');
    expect(await writeCompanyData(w.ctx, opened, null, told)).toBe('changed_meanwhile');
    expect(w.reports()).toBe(0);
  });

  test('gives nothing back where somebody has written first', async () => {
    const w = world({});
    const opened = await w.open();
    w.desk.personSetsStatus(ticket, 'Replied');
    expect(await giveBackCompanyData(w.ctx, opened, given)).toBe('changed_meanwhile');
    expect(await giveBackCompanyData(w.ctx, await w.open(), given)).toMatchObject({ refused: null, otherReader: null });
    expect(storedIn(w).segment).toBe('Medium');
  });

  test.each<[string, Record<string, string>, (w: World, opened: WritableCase) => Promise<unknown>]>([
    ['what was given back', {}, (w, opened) => giveBackCompanyData(w.ctx, opened, given)],
    ['what was written', {}, (w, opened) => writeCompanyData(w.ctx, opened, null, told)],
    [
      'what was written just before',
      medium,
      (w, opened) => writeCompanyData(w.ctx, opened, null, { data: { reason: 'x' }, earlier: { segment: 'Medium' } }),
    ],
  ])('takes off again %s where a stranger reads it by that very write, and reports it', async (_, shows, write) => {
    const w = world({ shows });
    w.desk.before('route', () => contactOf(w)());
    expect(await write(w, await w.open())).toMatchObject({ refused: 'read_by_other', otherReader: stranger });
    expect(storedIn(w).segment).toBeNull();
    expect(String(storedIn(w).reason)).not.toMatch(/Segment/);
    expect(w.reports()).toBe(1);
  });

  /** The sender's own contact, which the helpdesk fills in with its customer. */
  const ownContact = (w: World, customer?: string) => {
    const links = customer && [{ link_doctype: 'HD Customer', link_name: customer, link_title: customer }];
    w.desk.put('Contact', 'Chị Tư', { owner: 'an@desk.example', email_id: sender, links: links || [] });
  };

  test.each([
    ['another company’s', otherOrgId, 'other_customer', null],
    ['the company’s', orgId, null, 'Medium'],
  ])('judges anew where the helpdesk itself links %s customer by that write', async (_, of, refused, segment) => {
    const w = enrichmentWorld({ made: onPortal, desk: newDesk({ generation: '1.24' }) });
    w.desk.customers.set('theirs', { platformOrgId: of });
    ownContact(w);
    const opened = await openForWriting(w.ctx, ticket, withoutCrm);
    w.desk.before('route', () => ownContact(w, 'theirs'));
    expect(await writeCompanyData(w.ctx, opened, opened.companies[0] ?? null, told)).toMatchObject({ refused });
    expect(w.desk.customerOf(ticket)).toBe('theirs');
    expect(storedIn(w).segment).toBe(segment);
  });

  test('judges the company anew as well, which an agent may have rejected meanwhile', async () => {
    const w = enrichmentWorld({ made: onPortal });
    const opened = await openForWriting(w.ctx, ticket, withoutCrm);
    w.desk.before('route', async () => {
      ownContact(w);
      await rejectEarlier(w.db, { orgId });
    });
    expect(await writeCompanyData(w.ctx, opened, opened.companies[0] ?? null, told)).toMatchObject({
      refused: 'rejected',
    });
    expect(storedIn(w)).toMatchObject({ segment: null, reason: teamOnly });
  });

  test('an agent’s word of no company stands on a ticket that names a rejected one, whatever comes with the write', async () => {
    const w = enrichmentWorld({ made: onPortal });
    await rejectEarlier(w.db, { orgId });
    w.desk.customers.set('theirs', { platformOrgId: otherOrgId });
    const opened = await openForWriting(w.ctx, ticket, withoutCrm);
    w.desk.before('route', () => ownContact(w, 'theirs'));
    const answer = await writeCompanyData(w.ctx, opened, null, told);
    expect(answer).toMatchObject({ refused: null, contact: 'Chị Tư' });
    expect(storedIn(w).segment).toBe('Medium');
  });

  test('takes off again what was written though somebody else writes before it can', async () => {
    const w = world({});
    w.desk.before('route', () => {
      contactOf(w)();
      w.desk.before('route', () => w.desk.personSetsStatus(ticket, 'Replied'));
    });
    expect(await writeCompanyData(w.ctx, await w.open(), null, told)).toMatchObject({ refused: 'read_by_other' });
    expect([storedIn(w).segment, w.reports()]).toEqual([null, 1]);
  });

  test('reports nothing where a stranger came with a write that told nothing', async () => {
    const w = world({});
    w.desk.before('route', () => contactOf(w)());
    const write = { data: {}, plain: { status: 'Complete' } } as const;
    expect(await writeCompanyData(w.ctx, await w.open(), null, write)).toMatchObject({ otherReader: stranger });
    expect([storedIn(w).status, w.reports()]).toEqual(['Complete', 0]);
  });

  test('gives back the customer in whose place an agent’s was put, where a stranger reads by that very write', async () => {
    const w = enrichmentWorld({ made: onPortal });
    for (const name of ['Khác', newName]) w.desk.customers.set(name);
    w.link('Khác');
    const opened = await openForWriting(w.ctx, ticket, { lane: 'open' });
    w.desk.before('link', () => contactOf(w)());
    const linking = linkTicket(w.ctx, opened, orgId, { customer: newName, isAgentsWord: true });
    await expect(linking).rejects.toMatchObject({ code: 'ticket_read_by_other' });
    expect(w.desk.customerOf(ticket)).toBe('Khác');
  });

  test('leaves the link to a customer without org id, though the helpdesk fills in the sender’s contact with it', async () => {
    const w = enrichmentWorld({ made: onPortal });
    w.desk.customers.set('Hand');
    const opened = await openForWriting(w.ctx, ticket, { lane: 'open' });
    w.desk.before('link', () => ownContact(w));
    const done = await linkTicket(w.ctx, opened, orgId, { customer: 'Hand', isAgentsWord: false });
    expect(done).toEqual({ name: ticket, linked: true, previous_customer: null });
    expect(w.desk.ticket(ticket)).toMatchObject({ contact: 'Chị Tư', customer: 'Hand' });
  });

  test('says that the ticket had the customer which somebody else gave it at that moment', async () => {
    for (const isAgentsWord of [false, true]) {
      const w = enrichmentWorld({ made: onPortal });
      w.desk.customers.set(newName, { platformOrgId: orgId });
      const opened = await openForWriting(w.ctx, ticket, { lane: 'open' });
      w.desk.before('link', () => w.desk.changes(ticket, 'an@desk.example', { customer: newName }));
      const done = await linkTicket(w.ctx, opened, orgId, { customer: newName, isAgentsWord });
      expect(done).toEqual({ name: ticket, linked: true, previous_customer: newName });
    }
  });

  test('links no customer of a company that the ticket does not name', async () => {
    const w = enrichmentWorld({ made: onPortal });
    w.desk.customers.set('theirs', { platformOrgId: otherOrgId });
    const opened = await openForWriting(w.ctx, ticket, { lane: 'open' });
    const done = await linkTicket(w.ctx, opened, otherOrgId, { customer: 'theirs', isAgentsWord: true });
    expect(done).toEqual({ name: ticket, linked: false, previous_customer: null });
    expect(w.desk.customerOf(ticket)).toBeNull();
  });

  test('leaves the customer that a ticket has, though it is the same company’s', async () => {
    const w = enrichmentWorld({ made: onPortal });
    w.desk.customers.set('twin', { platformOrgId: orgId });
    w.desk.customers.set(newName, { platformOrgId: orgId });
    w.link('twin');
    const opened = await openForWriting(w.ctx, ticket, withoutCrm);
    const linked = (isAgentsWord: boolean) => linkTicket(w.ctx, opened, orgId, { customer: newName, isAgentsWord });
    expect(await linked(false)).toEqual({ name: ticket, linked: false, previous_customer: 'twin' });
    expect(w.desk.customerOf(ticket)).toBe('twin');
    expect(await linked(true)).toEqual({ name: ticket, linked: true, previous_customer: 'twin' });
  });
});

describe('the time of a check', () => {
  test('is left out, and that is logged, where others keep writing first', async () => {
    const w = enrichmentWorld({ made: onPortal });
    const { companies } = await openForWriting(w.ctx, ticket, { lane: 'open' });
    const [company] = companies;
    if (!company?.lookup) throw new Error('The ticket names no company.');
    const logged = vi.spyOn(w.ctx.logger, 'warn');
    const writeFirst = () => {
      w.desk.personSetsStatus(ticket, w.desk.ticket(ticket).status === 'Open' ? 'Replied' : 'Open');
      w.desk.before('route', writeFirst);
    };
    w.desk.before('route', writeFirst);
    await noteCheck(w.ctx, ticket, { company, lookup: company.lookup });
    expect(storedIn(w).crmLastCheckedAt).toBeNull();
    expect(logged.mock.calls).toMatchObject([[{ error: expect.any(String) }, expect.anything()]]);
    logged.mockRestore();
  });

  test('goes by who vouches when it is written', async () => {
    const w = enrichmentWorld({ made: onPortal, claims: 'hold' });
    const opened = await openForWriting(w.ctx, ticket, { lane: 'open' });
    const [company] = opened.companies;
    if (!company?.lookup) throw new Error('The ticket names no company.');
    const { lookup } = company;
    const trust = { level: 'confirmed' as const, evidence: [] };
    await noteCheck(w.ctx, ticket, { company: { ...company, trust }, lookup });
    expect(routes(w)).toEqual([]);
    // A fault of our own is none of the helpdesk's.
    w.desk.failNext('tickets.read', new TypeError('ours') as HelpdeskError);
    await expect(noteCheck(w.ctx, ticket, { company, lookup })).rejects.toThrow(TypeError);
  });
});
