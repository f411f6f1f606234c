import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { searchCompany } from '#crm/lookup.ts';
import { fakeLayers } from '#crm/testing/fakes.ts';
import { growingOwner as boss, growing, medium, sampleCrm } from '#crm/testing/sample-companies.ts';
import * as syncs from '#store/syncs.ts';
import { newDesk } from '#testing/desk.ts';
import { rejectEarlier } from '#testing/rejected.ts';
import { testContext } from '#testing/test-context.ts';
import { type CaseInput, companyIn, openCase, openForWriting, withoutCrm } from './case.ts';

const minute = 60_000;

/** A ticket of the boss that names their company, and what the CRM is asked. */
function world(given: { crmEnabled?: boolean; isConfigured?: boolean; crmTimeoutMs?: number } = {}) {
  const { isConfigured = true, ...parts } = given;
  const desk = newDesk();
  desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  const crm = sampleCrm();
  const layers = fakeLayers({ crm, clock: desk.clock });
  const find = vi.spyOn(layers, 'findCompany');
  const ctx = testContext({ desk, crm: isConfigured ? layers : null, ...parts });
  const open = async (input: Partial<CaseInput> = {}) =>
    openCase(ctx, await desk.fileOf('1'), { lane: 'open', ...input });
  return { ...ctx, ctx, desk, fake: crm, find, open };
}

type World = ReturnType<typeof world>;

/** What the CRM has just said of a company. */
const said = (w: World, orgId = growing) => searchCompany(w.ctx, orgId, { refresh: false, lane: 'open' });

describe('the CRM is asked for a ticket’s org id', () => {
  const rejected = async (w: World) => {
    await rejectEarlier(w.db, { orgId: growing, sender: boss });
    return {};
  };

  test.each<[string, Parameters<typeof world>[0], (w: World) => Promise<Partial<CaseInput>>, boolean]>([
    ['once', {}, async () => ({}), true],
    ['but not where it is switched off', { crmEnabled: false }, async () => ({}), false],
    ['but not where there is none', { isConfigured: false }, async () => ({}), false],
    ['but not where it is left alone', {}, async () => ({ leavesCrm: true }), false],
    [
      'but not where it has just answered, whatever is kept of that',
      {},
      async (w) => {
        const lookup = await said(w);
        w.desk.clock.advance(61 * minute);
        return { lookup };
      },
      false,
    ],
    ['also where it has just answered for another', {}, async (w) => ({ lookup: await said(w, medium) }), true],
    ['but not while it has a fresh answer', {}, async (w) => said(w).then(() => ({})), false],
    ['again where that is wanted', {}, async (w) => said(w).then(() => ({ refresh: true })), true],
    ['but not where the company is rejected', {}, rejected, false],
    [
      'also of a rejected company that somebody names',
      {},
      async (w) => ({ ...(await rejected(w)), only: growing }),
      true,
    ],
  ])('%s', async (_, given, before, isAsked) => {
    const w = world(given);
    const input = await before(w);
    w.fake.requests.length = 0;
    const { companies } = await w.open(input);
    expect(w.fake.asked).toEqual(isAsked ? [growing] : []);
    expect(companies.map(({ candidate }) => candidate.orgId)).toEqual([growing]);
  });
});

describe('the CRM gets', () => {
  test.each<[string, Partial<CaseInput>, number]>([
    ['as long as it may take', {}, 15_000],
    ['what is left of an answer', { left: () => 4_000 }, 4_000],
    ['what the verb has for it', { crmWithinMs: 2_000 }, 2_000],
    ['no longer than it may take', { left: () => 20_000 }, 15_000],
  ])('%s', async (_, input, ms) => {
    const w = world();
    await w.open(input);
    expect(w.find.mock.calls.map(([, urgency]) => urgency.deadline - w.clock())).toEqual([ms]);
  });

  test('the addresses of the ticket’s people where somebody waits at a panel', async () => {
    const w = world();
    await w.open({ left: () => 4_000, refresh: true });
    w.desk.put('Contact', 'Chị Tư', { owner: 'an@desk.example', email_id: 'tu@shop.example' });
    w.desk.put('HD Ticket', '1', { contact: 'Chị Tư' });
    await w.open({ left: () => 4_000, refresh: true });
    await w.open({ crmWithinMs: 4_000, refresh: true });
    await w.open({ refresh: true });
    expect(w.find.mock.calls.map(([, , senders]) => senders)).toEqual([[boss], ['tu@shop.example', boss], [], []]);
  });
});

test.each([
  ['who waits is shown what the CRM said a while ago', { left: () => 60_000 }, true],
  ['so is who gives it a while', { crmWithinMs: 60_000 }, true],
  ['who decides by it waits for the news', {}, false],
])('while the CRM takes its time, %s', async (_, input, isStale) => {
  const w = world();
  await w.open();
  w.desk.clock.advance(61 * minute);
  let answer = () => {};
  w.fake.hold = new Promise((resolve) => (answer = resolve));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const opening = w.open(input);
  await expect.poll(() => w.find.mock.calls.length).toBe(2);
  await vi.advanceTimersByTimeAsync(1_001);
  answer();
  expect((await opening).leading?.lookup).toMatchObject({ outcome: 'matched', stale: isStale });
});

test('who names an org id gets its place on the ticket, or that it has none', async () => {
  const w = world();
  const of = async (only: typeof growing) => (await w.open({ only })).companies.map(({ candidate }) => candidate);
  expect(await of(growing)).toEqual([{ orgId: growing, source: 'ticket', field: 'custom_orgid' }]);
  expect(await of(medium)).toEqual([{ orgId: medium, source: 'ticket', field: '' }]);
  const opened = await w.open();
  expect(companyIn(opened, growing)).toBe(opened.companies[0]);
  expect(companyIn(opened, medium)).toBeNull();
});

test('a panel’s judgement goes on after the caller has left: the next one has it', async () => {
  const w = world();
  const file = await w.desk.fileOf('1');
  const left = { ...w.ctx, signal: AbortSignal.abort() };
  await expect(openCase(left, file, { lane: 'open' })).rejects.toThrow();
  expect(await openCase(left, file, { lane: 'open', left: () => 4_000 })).toMatchObject({
    sender: { sender: boss },
    leading: { trust: { level: 'confirmed' } },
  });
});

test('the text is read beside the org ids that nobody has rejected, and what it names comes first', async () => {
  const w = world();
  const found = { orgId: medium, source: 'ticket', field: 'description' } as const;
  const readText = vi.fn(async () => found);
  const ids = async () => (await w.open({ readText })).companies.map(({ candidate }) => candidate.orgId);
  expect(await ids()).toEqual([medium, growing]);
  await rejectEarlier(w.db, { orgId: growing, sender: boss });
  expect(await ids()).toEqual([medium, growing]);
  expect(readText.mock.calls).toEqual([[[{ orgId: growing, source: 'ticket', field: 'custom_orgid' }]], [[]]]);
});

test('who wrote a ticket last is who did before our own save has filled in its contact', async () => {
  const { ctx, desk, signal } = world();
  desk.put('Contact', 'Chị Tư', { owner: 'an@desk.example', email_id: boss });
  const { modifiedBy } = await desk.helpdesk.tickets.read('1', signal);
  const { ticket } = await openForWriting(ctx, '1', withoutCrm);
  expect([ticket.file.ticket.contact, ticket.modifiedBy]).toEqual(['Chị Tư', modifiedBy]);
  desk.put('HD Ticket', '1', { contact: null });
  desk.before('route', () => desk.changes('1', 'an@desk.example', { subject: 'Khác' }));
  expect((await openForWriting(ctx, '1', withoutCrm)).ticket.modifiedBy).toBe('an@desk.example');
});

test('a panel shows what the ticket says though our own records cannot be read; who decides does not go on', async () => {
  const w = world();
  w.desk.put('HD Ticket', '1', { custom_platform_profile_orgid: medium });
  const file = await w.desk.fileOf('1');
  const away = { ...w.ctx, db: {} as World['db'] };
  const unknown = { trust: null, isRejected: false };
  expect(await openCase(away, file, { lane: 'open', left: () => 4_000 })).toMatchObject({
    ...{ sender: null, otherReader: null, rejections: [], synced: null, latest: null },
    companies: [
      { candidate: { orgId: medium }, ...unknown },
      { candidate: { orgId: growing }, ...unknown },
    ],
  });
  await expect(openCase(away, file, { lane: 'open' })).rejects.toThrow();
});

test('what a panel cannot know in time has no trust', async () => {
  const w = world();
  w.desk.helpdesk.rights.mayBeShared = () => new Promise(() => {});
  const { sender, companies } = await w.open({ left: () => 5, leavesCrm: true });
  expect([sender, companies.map(({ trust }) => trust)]).toEqual([null, [null]]);
});

test('of several org ids the one that an agent chose for the sender comes first', async () => {
  const w = world();
  w.desk.put('HD Ticket', '1', { custom_platform_profile_orgid: medium });
  const ids = async () => (await w.open({ leavesCrm: true })).companies.map(({ candidate }) => candidate.orgId);
  expect(await ids()).toEqual([medium, growing]);
  const id = await syncs.record(w.db, {
    ticket: { name: '7', creation: '2026-01-01 00:00:00' },
    sender: { address: boss, domain: null },
    agent: 'an@desk.example',
    orgId: growing,
    crmCompanyId: '7',
    customer: 'Shop',
    previousCustomer: null,
    at: 1,
  });
  await syncs.noteLinked(w.db, id, 2);
  expect(await ids()).toEqual([growing, medium]);
});
