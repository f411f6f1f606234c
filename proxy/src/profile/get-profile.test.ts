import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { searchCompany } from '#crm/lookup.ts';
import { fakeCrm } from '#crm/testing/fakes.ts';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import { fakeClock } from '#runtime/testing/quiet.ts';
import * as decisions from '#store/decisions.ts';
import * as syncs from '#store/syncs.ts';
import { company, owner } from '#store/testing/sample-company.ts';
import { newDesk } from '#testing/desk.ts';
import { sender } from '#testing/desk-seed.ts';
import { orgId, profileWorld } from '#testing/profile-kit.ts';
import { rejectEarlier } from '#testing/rejected.ts';

/** A CRM that has the sender's address for the company. */
const knowsSender = () => fakeCrm({ [orgId]: company(orgId, { emails: [sender] }) });

/** Its ticket has this customer. */
function linkedTo(customer: string) {
  const w = profileWorld();
  w.desk.customers.set(customer);
  w.desk.setsCustomer('61307', customer);
  return w;
}

test.each([
  ['missing_orgid', { made: { custom_orgid: null } }],
  ['missing_orgid', { made: { custom_orgid: null }, crmEnabled: false }],
  ['disabled', { crmEnabled: false }],
  ['missing_config', { configured: false }],
])('a status for which nobody is asked: %s', async (status, options) => {
  const { crm, get } = profileWorld(options);
  const nothing = { outcome: null, company: null, lookup_trust: null, error: null };
  const switches = { enabled: !('crmEnabled' in options), configured: !('configured' in options) };
  expect((await get()).bitrix).toMatchObject({ status, ...switches, ...nothing });
  expect(crm.requests).toEqual([]);
});

test.each([
  ['matched', fakeCrm({ [orgId]: company(orgId) }), { company_id: orgId }],
  ['not_found', fakeCrm(), null],
])('%s, then cached with this outcome, and the time of the check', async (outcome, crm, of) => {
  const { clock, get } = profileWorld({ crm });
  const said = { outcome, as_of: new Date(clock()).toISOString(), lookup_value: orgId, company: of };
  expect((await get()).bitrix).toMatchObject({ ...said, status: outcome, cached: false });
  clock.advance(1_000);
  expect((await get()).bitrix).toMatchObject({ ...said, status: 'cached', cached: true });
});

test.each([
  ['its own 4.5 seconds', 15_000, 4_500],
  ['CRM_TIMEOUT_SECONDS, where that is less', 2_000, 2_000],
])('waits for the CRM no longer than %s', async (_, crmTimeoutMs, expected) => {
  const crm = fakeCrm({ [orgId]: company(orgId) }, { ownersAlong: false });
  const { waits, get } = profileWorld({ crm, crmTimeoutMs });
  await get();
  expect(waits).toEqual([expected, expected]);
});

test('an error names its code and the request', async () => {
  const crm = fakeCrm();
  crm.answer = () => ({ kind: 'failed', code: 'rate_limited' });
  expect((await profileWorld({ crm }).get()).bitrix).toMatchObject({
    status: 'error',
    error: { code: 'rate_limited', request_id: 'request' },
    outcome: null,
  });
});

describe('the account owner', () => {
  test('is not asked for again where the CRM has just failed, and is shown as before', async () => {
    const { crm, clock, get } = profileWorld({ crm: fakeCrm({ [orgId]: company(orgId) }, { ownersAlong: false }) });
    await get();
    clock.advance(1_000);
    crm.isDown = true;
    crm.requests.length = 0;
    const { bitrix } = await get(true);
    expect(bitrix).toMatchObject({ stale: true, responsible: { email: owner.email } });
    expect(crm.requests.filter(({ user }) => user !== null)).toEqual([]);
  });

  test('comes along with the company: one request', async () => {
    const { crm, get } = profileWorld();
    const { userType: user_type, ...shown } = owner;
    expect((await get()).bitrix.responsible).toEqual({ ...shown, user_type, status: 'active' });
    expect((await get(true)).bitrix.responsible?.status).toBe('active');
    expect(crm.requests.map((r) => r.user)).toEqual([null, null]);
  });

  test('needs a separate request if the webhook is another, and is then cached', async () => {
    const { crm, get } = profileWorld({ crm: fakeCrm({ [orgId]: company(orgId) }, { ownersAlong: false }) });
    await get();
    await get();
    expect(crm.requests.map((r) => r.user)).toEqual([null, '338']);
  });

  test.each([
    ['missing_config', { knowsUsers: false }, null],
    ['error', { user: () => ({ kind: 'failed', code: 'server_error' }) }, null],
    ['not_found', { user: () => ({ kind: 'empty' }) }, null],
    ['inactive', { user: () => ({ kind: 'found', user: { ...owner, active: false } }) }, owner.email],
  ])('is told as %s', async (status, change, email) => {
    const crm = Object.assign(fakeCrm({ [orgId]: company(orgId) }), change);
    const shown = { id: '338', status, active: false, email };
    expect((await profileWorld({ crm }).get()).bitrix.responsible).toMatchObject(shown);
  });

  test.each(['', '0', null])('a company assigned to %j has none', async (assigned_by_id) => {
    const crm = fakeCrm({ [orgId]: company(orgId, {}, { assigned_by_id }) });
    expect((await profileWorld({ crm }).get()).bitrix.responsible).toBeNull();
  });

  test.each([
    ['inactive', { active: false }],
    ['without an address', { email: null }],
  ])('is not written to the ticket where they are %s', async (_, change) => {
    const { crm, background, told, clock, desk, get } = profileWorld({ claims: 'accept' });
    const user = crm.user;
    crm.user = () => ({ kind: 'found', user: { ...owner, ...change } });
    await get();
    await background.idle();
    expect(told()).toEqual([]);
    crm.user = user;
    clock.advance(60 * 60_000);
    await get();
    await background.idle();
    expect(desk.routingOf('61307').responsible).toBe(owner.email);
  });

  test('the e-mail is written once, however many ask at once, and not again while it stays the same', async () => {
    const crm = fakeCrm({ [orgId]: company(orgId, { emails: ['vy@shop.example'] }) });
    const { background, desk, told, clock, get } = profileWorld({ crm });
    await Promise.all(Array.from({ length: 20 }, () => get()));
    await background.idle();
    expect(told()).toEqual(['route 61307 responsible']);
    expect(desk.routingOf('61307').responsible).toBe(owner.email);
    clock.advance(120_000);
    await get();
    await get();
    await background.idle();
    expect(told()).toHaveLength(1);
  });

  test.each([
    ['hold', null],
    ['accept', owner.email],
  ] as const)(
    'on a claim’s ticket is told where claims are accepted alone, which is shown as a claim: %s',
    async (claims, told) => {
      const { background, desk, confirmed, get } = profileWorld({ claims });
      expect((await get()).bitrix.lookup_trust?.level).toBe('claimed');
      await background.idle();
      expect(desk.routingOf('61307').responsible).toBe(told);
      expect([(await get()).bitrix.lookup_trust?.level, await confirmed()]).toEqual(['claimed', []]);
    },
  );

  test('is told when the judgement is in, though nobody asks a second time, and an open claim is judged again', async () => {
    const w = profileWorld({ crm: knowsSender() });
    const org_id = { value: orgId, source: 'ticket', field: 'custom_orgid', trust: null };
    await decisions.add(
      w.db,
      decisionDraft('61307', { org_id, claims: 'hold', ticket_creation: w.desk.keyOf('61307').creation }),
      0,
      null,
    );
    const { bitrix, pending } = await w.getWhileHelpdeskHangs();
    expect(bitrix).toMatchObject({ status: 'matched', company: { company_id: orgId }, lookup_trust: null });
    expect(pending).toEqual(['lookup_trust']);
    await w.background.idle();
    expect(w.desk.routingOf('61307').responsible).toBe(owner.email);
    expect(await w.confirmed()).toEqual(['61307']);
    expect(await w.get()).toMatchObject({ bitrix: { lookup_trust: { level: 'likely' } }, pending: [] });
  });

  test('is told to no stranger whom the helpdesk makes the ticket’s contact on this very write', async () => {
    const w = profileWorld({ crm: knowsSender() });
    const stranger = 'ke@hopthu.example';
    w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
    // By no address that could be looked for before.
    w.desk.put('Contact', stranger, { owner: stranger });
    w.desk.before('route', () => w.desk.put('HD Ticket', '61307', { contact: stranger }));
    await w.get();
    await w.background.idle();
    expect(w.told()).toHaveLength(2);
    expect(w.desk.routingOf('61307').responsible).toBeNull();
    // Nor later on.
    w.clock.advance(24 * 3_600_000);
    expect((await w.get()).bitrix.lookup_trust).toMatchObject({
      level: 'claimed',
      evidence: [{}, { code: 'contact_of_other', value: stranger }],
    });
    await w.background.idle();
    expect(w.desk.routingOf('61307').responsible).toBeNull();
  });

  test('stays on the ticket where the contact that the helpdesk fills in is the sender’s own', async () => {
    const w = profileWorld({ crm: knowsSender() });
    w.desk.put('Contact', 'Vy', { owner: sender, email_id: sender });
    w.desk.before('route', () => w.desk.put('HD Ticket', '61307', { contact: 'Vy' }));
    await w.get();
    await w.background.idle();
    expect(w.desk.routingOf('61307').responsible).toBe(owner.email);
  });

  test('a site without the field is not written to', async () => {
    const { background, desk, told, get } = profileWorld({ claims: 'accept' });
    desk.removeFields('HD Ticket', 'custom_responsible');
    await get();
    await get();
    await background.idle();
    expect(told()).toEqual([]);
  });
});

test('what is known without the CRM is answered at once, as long as that is waited for', async () => {
  const { crm, get } = profileWorld({});
  const { ticket, bitrix, pending } = await get(false, true);
  expect([ticket.name, bitrix.company, pending.includes('crm'), crm.requests]).toEqual(['61307', null, true, []]);
  expect((await get()).pending).not.toContain('crm');
});

test('of the company’s contacts the one is told who has the sender’s address', async () => {
  const person = { post: null, phones: ['0900'], url: null };
  const contacts = [
    { ...person, id: '76', name: 'An', emails: ['an@shop.example'] },
    { ...person, id: '77', name: 'Vy', emails: [sender] },
  ];
  const crm = fakeCrm({ [orgId]: company(orgId, { contacts }) });
  const { bitrix } = await profileWorld({ crm, made: { custom_orgid: orgId, raised_by: sender } }).get();
  expect(bitrix.contact).toMatchObject({ id: '77', name: 'Vy', email: sender, phone: '0900', chosen_by: 'email' });
});

test('the customer’s platform accounts are told, once they are known', async () => {
  const w = profileWorld({ desk: newDesk({ keepsAccounts: true }) });
  w.desk.customers.set('Shop', { platformOrgId: orgId });
  w.desk.setsCustomer('61307', 'Shop');
  w.desk.put('Platform Account Link', 'L1', { hd_customer: 'Shop', user: sender, platform_orgid: orgId });
  expect(await w.get()).toMatchObject({ haravan: [], pending: ['haravan'] });
  await w.background.idle();
  expect(await w.get()).toMatchObject({
    customer: { name: 'Shop' },
    haravan: [{ user: sender, haravan_orgid: orgId }],
    pending: [],
  });
});

test('several companies: the first is used, the others are named', async () => {
  const crm = fakeCrm();
  crm.answer = () => ({
    kind: 'found',
    companies: [company(orgId), company(orgId, {}, { bitrix_id: '7', company_name: 'Old' })],
  });
  expect((await profileWorld({ crm }).get()).bitrix.alternatives).toMatchObject([
    { bitrix_id: '7', company_id: orgId, company_name: 'Old', date_modify: null, url: null },
  ]);
});

test('a field that holds no org id is named', async () => {
  expect((await profileWorld({ made: { custom_orgid: 'shop.example' } }).get()).notes).toEqual([
    { code: 'orgid_unusable', field: 'custom_orgid' },
  ]);
});

test('the days left are those of the moment, also from the cache', async () => {
  const clock = fakeClock();
  const crm = fakeCrm({ [orgId]: company(orgId, { planExpiresAt: clock() + 30.5 * 86_400_000 }) });
  const world = profileWorld({ crm });
  expect((await world.get()).bitrix.company).toMatchObject({ shopplan_status: 'active', shopplan_days_left: 30 });
  world.clock.advance(45 * 60_000 + 23 * 3_600_000);
  crm.answer = () => ({ kind: 'failed', code: 'unreachable' });
  expect((await world.get()).bitrix.company).toMatchObject({
    shopplan_status: 'expiring_soon',
    shopplan_days_left: 29,
  });
});

test('without our own records nothing is confirmed by them, but the profile is still of use', async () => {
  const w = linkedTo('Shop');
  await w.get();
  for (const table of ['decisions', 'tickets', 'syncs', 'rejections']) w.ctx.store.database.exec(`drop table ${table}`);
  const { bitrix } = await w.get();
  expect(bitrix).toMatchObject({ company: { company_id: orgId }, rejected: [] });
  expect(bitrix.lookup_trust?.level).not.toBe('confirmed');
});

test('without our own records a ticket names what stands on it, copied or not', async () => {
  const w = profileWorld({ made: { custom_orgid: orgId, custom_platform_profile_orgid: theirs } });
  await w.get();
  for (const table of ['decisions', 'tickets', 'syncs', 'rejections']) w.ctx.store.database.exec(`drop table ${table}`);
  const { bitrix } = await w.get();
  expect(bitrix.lookup_candidates.toSorted()).toEqual([orgId, theirs].toSorted());
});

test('what the CRM told routing is shown without asking again, and as old where a refresh fails', async () => {
  const { crm, ctx, get } = profileWorld();
  if (ctx.crm === null) throw new Error('There is a CRM.');
  await searchCompany({ crm: ctx.crm, crmTimeoutMs: 1_000 }, orgId, { refresh: false, lane: 'bulk' });
  crm.isDown = true;
  const told = { outcome: 'matched', company: { company_id: orgId } };
  expect((await get()).bitrix).toMatchObject({ status: 'cached', stale: false, ...told });
  expect((await get(true)).bitrix).toMatchObject({ status: 'error', stale: true, ...told });
});

test('that a customer became the company is told on the ticket with which it did, and on no other', async () => {
  const w = linkedTo('Shop');
  w.desk.customers.set('Shop', { platformOrgId: orgId });
  const adopt = (ticket: TicketKey) =>
    syncs.recordAdoption(w.db, {
      ...{ customer: 'Shop', orgId, crmCompanyId: '1', companyName: null, changes: [] },
      ...{ by: 'an@desk.example', via: 'sync', ticket, at: w.clock() },
    });
  await adopt({ ...w.desk.keyOf('61307'), name: '7' });
  expect((await w.get()).bitrix.adopted).toBeUndefined();
  const id = await adopt(w.desk.keyOf('61307'));
  const { bitrix, names } = await w.get();
  expect(bitrix.adopted).toMatchObject({ id, customer: 'Shop', by: 'an@desk.example' });
  expect(names).toEqual({ 'an@desk.example': 'An' });
});

test('an agent whose word is told is named', async () => {
  const w = profileWorld();
  expect((await w.get()).names).toEqual({});
  expect(w.desk.calls).not.toContain('people.userNames');
  await rejectEarlier(w.db, { orgId: theirs, crmCompanyId: null, agent: 'chi@desk.example' });
  expect((await w.get()).names).toEqual({ 'chi@desk.example': 'Chi' });
});

const theirs = '200000376001' as OrgId;
/**
 * A ticket on which its sender typed another org id than that of its customer. `emails`: the sender's address as the CRM has
 * it, by org id.
 */
function world(emails: Partial<Record<string, string[]>> = {}, found: string[] = [orgId, theirs]) {
  const companies = found.map((id) => [id, company(id as OrgId, { emails: emails[id] ?? [] })]);
  const crm = fakeCrm(Object.fromEntries(companies));
  const made = { custom_orgid: theirs, owner: sender, raised_by: sender };
  const w = profileWorld({ made, crm });
  w.desk.customers.set('Shop', { platformOrgId: orgId });
  w.desk.setsCustomer('61307', 'Shop');
  return w;
}

describe('where the ticket and its customer name different companies', () => {
  test('one that an agent has rejected costs the CRM no question', async () => {
    const w = world();
    await rejectEarlier(w.db, { orgId: theirs });
    await w.get();
    expect(w.crm.asked).toEqual([orgId]);
  });

  test('of equals that is shown which an agent chose for somebody of the same domain', async () => {
    const w = world();
    expect((await w.get()).bitrix).toMatchObject({ lookup_value: theirs });
    const chosen = await syncs.record(w.db, {
      ...{ ticket: { name: '7', creation: '2026-01-01 00:00:00' }, agent: 'an@desk.example', orgId, crmCompanyId: '1' },
      ...{ customer: 'Shop', previousCustomer: null, at: 1 },
      sender: { address: 'another@shop.example', domain: 'shop.example' },
    });
    await syncs.noteLinked(w.db, chosen, 2);
    expect((await w.get()).bitrix).toMatchObject({ lookup_value: orgId, lookup_trust: { level: 'claimed' } });
  });

  test('the better vouched for is shown, the other one is named with its trust', async () => {
    const w = world({ [orgId]: [sender] });
    const { bitrix, pending } = await w.get();
    expect(bitrix).toMatchObject({ lookup_value: orgId, company: { company_id: orgId } });
    expect(bitrix.lookup_trust?.level).toBe('confirmed');
    expect(bitrix.also_named).toMatchObject([
      { org_id: theirs, source: 'ticket', field: 'custom_orgid', company_name: expect.any(String) },
    ]);
    expect(bitrix.also_named[0]?.trust?.level).toBe('claimed');
    // With its whole file: it can be shown without another request.
    const other = bitrix.also_named[0]?.file;
    expect(other).toMatchObject({ status: 'matched', stale: false, company: { company_id: theirs }, alternatives: [] });
    expect(bitrix.responsible).not.toBeNull();
    expect(other?.responsible?.status).toBe(bitrix.responsible?.status);
    expect(w.crm.requests).toHaveLength(1);
    expect(bitrix.lookup_candidates).toEqual([theirs, orgId]);
    expect(pending).toEqual([]);
  });

  test('the answer waits for what the helpdesk says about the sender, so that the company never changes', async () => {
    const w = world({ [orgId]: [sender] });
    // The helpdesk is asked whose account that is.
    w.desk.put('Contact', 'Vy', { owner: 'an@desk.example', email_id: sender });
    w.desk.put('HD Ticket', '61307', { contact: 'Vy' });
    const { isWebsiteUser } = w.desk.helpdesk.people;
    const held = Promise.withResolvers<void>();
    w.desk.helpdesk.people.isWebsiteUser = async (...asked) => {
      await held.promise;
      return isWebsiteUser(...asked);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const first = w.get();
    // Almost as long as the answer may take.
    for (let ms = 0; ms < 4_000; ms += 100) {
      await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(100);
    }
    held.resolve();
    for (const { bitrix, pending } of [await first, await w.get()]) {
      expect(bitrix).toMatchObject({ lookup_value: orgId, lookup_trust: { level: 'confirmed' } });
      expect(pending).toEqual([]);
    }
    expect(w.desk.calls).toContain('people.isWebsiteUser');
  });

  test('what cannot be judged is not called a claim, and comes with the next answer', async () => {
    const w = world();
    w.desk.put('HD Ticket', '61307', { owner: 'an@desk.example' });
    const { isDesk } = w.desk.helpdesk.people;
    w.desk.helpdesk.people.isDesk = async () => Promise.reject(new Error('down'));
    const { bitrix, pending } = await w.get();
    expect([bitrix.lookup_value, bitrix.lookup_trust, pending]).toEqual([theirs, null, ['lookup_trust']]);
    expect(bitrix.also_named).toMatchObject([{ org_id: orgId, trust: null }]);
    await w.background.idle();
    expect(w.told()).toEqual([]);
    w.desk.helpdesk.people.isDesk = isDesk;
    expect(await w.get()).toMatchObject({ bitrix: { lookup_trust: { level: 'claimed' } }, pending: [] });
  });
});

describe('where an agent has rejected the company of one of them, by the CRM’s id', () => {
  const third = '1900000001' as OrgId;
  /** The CRM has it under the ticket's org id, where another one stood when it was rejected. */
  async function rejecting(other: 'not_found' | 'error') {
    const w = world({}, [theirs]);
    const { answer } = w.crm;
    if (other === 'error')
      w.crm.answer = (id) => (id === orgId ? { kind: 'failed', code: 'server_error' } : answer(id));
    const of = answer(theirs);
    const crmCompanyId = of.kind === 'found' ? of.companies[0].fields.bitrix_id : null;
    await rejectEarlier(w.db, { orgId: third, crmCompanyId });
    return w;
  }

  test.each(['not_found', 'error'] as const)('the status is that of the other one: %s', async (status) => {
    const { bitrix } = await (await rejecting(status)).get();
    expect(bitrix).toMatchObject({ configured: true, status, lookup_candidates: [orgId], lookup_value: orgId });
    expect(bitrix).toMatchObject({ company: null, lookup_trust: null });
  });
});
