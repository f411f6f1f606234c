import { type FindData, FindData as FindSchema } from '@deskside/shared/find';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import type { CompanyHit } from '#crm/search.ts';
import { fakeCrm, fakeLayers } from '#crm/testing/fakes.ts';
import type { CustomerHit } from '#helpdesk/customer-search.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { type Marks, type Reading, readQuery } from '#intake/read-query.ts';
import { company } from '#store/testing/sample-company.ts';
import { undoRejection } from '#sync/reject.ts';
import { newDesk } from '#testing/desk.ts';
import { callerOf } from '#testing/desk-seed.ts';
import { rejectEarlier } from '#testing/rejected.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { findCompanies, mergeHits, orderFound } from './find-companies.ts';
import { companyHit, noMarks } from './testing/company-hit.ts';

const hit = (n: number, name = `Gốm ${n}`, marks: Partial<Marks> = {}) =>
  companyHit(String(n), name, { orgId: OrgId.parse(String(1_000 + n)), plan: 'Grow', modifiedAt: n, marks });

function findWorld({ crmEnabled = true, configured = true } = {}) {
  const desk = newDesk();
  const { clock } = desk;
  desk.insert('61307');
  const known = company('5');
  const crm = fakeCrm({ 5: known });
  const layers = fakeLayers({ crm, clock });
  /** What the CRM was searched for, and for whom. */
  const asked: { readings: readonly Reading[]; lane: string | undefined }[] = [];
  const search = layers.search.bind(layers);
  layers.search = (readings, lane) => {
    asked.push({ readings, lane });
    return search(readings, lane);
  };
  const ctx = testContext({ desk, crm: configured ? layers : null, crmEnabled });
  const find = async (query?: string, caller = callerOf('an')): Promise<FindData> =>
    FindSchema.parse(await findCompanies({ ...ctx, caller, requestId: 'r1' }, { ticket: '61307', query }));
  const looked = () => crm.requests.flatMap(({ orgIds }) => orgIds ?? []);
  return { asked, ctx, find, desk, crm, clock, looked, known };
}

test('ten at most are given, the closest first, and that there are more', async () => {
  const { find, crm } = findWorld();
  crm.search.companies = [...Array.from({ length: 10 }, (_, n) => hit(n)), hit(99, 'Gốm')];
  const found = await find('gốm');
  expect(found).toMatchObject({ read_as: ['name'], more: true, companies: { length: 10 } });
  expect(found.companies[0]).toMatchObject({
    bitrix_id: '99',
    org_id: '1099',
    found_by: [{ by: 'name', value: 'Gốm' }],
  });
  crm.search.companies.length = 2;
  expect((await findWorld().find('gốm')).more).toBe(false);
});

test('of two with one name it is told whose each is, where, and how their telephone ends, never all of it', async () => {
  const { find, crm } = findWorld();
  const tells = { owner: 'Trần Quang Khải', phone: '+84 900 000 002', region: 'Hà Nội' };
  crm.search.companies = [
    { ...hit(1, 'Gốm'), ...tells },
    { ...hit(2, 'Gốm'), phone: 'no number' },
  ];
  const { companies } = await find('gốm');
  expect(companies.map(({ owner, phone_end, region }) => [owner, phone_end, region]).sort()).toEqual(
    [
      [null, null, null],
      ['Trần Quang Khải', '002', 'Hà Nội'],
    ].sort(),
  );
  expect(JSON.stringify(companies)).not.toContain('900');
});

test('nothing is searched for what cannot be meant', async () => {
  const { find, desk, crm } = findWorld();
  expect(await find(' % ')).toMatchObject({ read_as: [], companies: [] });
  expect([desk.calls.includes('customerSearch.searchAs'), crm.searches]).toEqual([false, 0]);
});

test('what the helpdesk alone has is completed by its org id, unless the CRM failed', async () => {
  const { find, desk, looked, crm, known } = findWorld();
  desk.customers.set('Gốm A', { platformOrgId: OrgId.parse('5') });
  desk.customers.set('Gốm B', { platformOrgId: OrgId.parse('6') });
  desk.customers.set('Gốm C');
  const { bitrix_id, company_name: name, current_shopplan: plan } = known.fields;
  expect((await find('gốm')).companies).toMatchObject([
    { org_id: '5', customer: 'Gốm A', bitrix_id, name, plan },
    { org_id: '6', customer: 'Gốm B', bitrix_id: null, name: 'Gốm B' },
    { org_id: null, customer: 'Gốm C', bitrix_id: null },
  ]);
  expect(looked()).toEqual(['5', '6']);
  crm.search.failed = 'timeout';
  // Then what the helpdesk has is given, and why the rest is missing.
  expect(await find('gốm a')).toMatchObject({
    companies: [{ org_id: '5', customer: 'Gốm A', bitrix_id: null }],
    crm: { status: 'failed', error: { code: 'timeout', request_id: 'r1' } },
  });
  expect(looked()).toHaveLength(2);
});

describe('one of the two systems fails', () => {
  test.each([
    ['timeout', 'failed'],
    ['unavailable', 'failed'],
    ['forbidden', 'not_permitted'],
  ] as const)('the helpdesk (%s): what the CRM has is given', async (kind, status) => {
    const { find, desk, crm } = findWorld();
    desk.failNext('customerSearch.searchAs', new HelpdeskError(kind, 'no'));
    crm.search.companies = [hit(1)];
    expect(await find('gốm')).toMatchObject({ companies: { length: 1 }, helpdesk: { status } });
  });

  test.each([
    [{ crmEnabled: false }, 'disabled'],
    [{ configured: false }, 'missing_config'],
  ] as const)('a CRM that is not there (%j) is no failure', async (options, status) => {
    const { find, crm } = findWorld(options);
    expect((await find('gốm')).crm).toEqual({ status, error: null });
    expect(crm.searches).toBe(0);
  });
});

test('the CRM is asked once a minute for the same, but again after a failure', async () => {
  const { find, crm, clock } = findWorld();
  crm.search.failed = 'timeout';
  await find('gốm');
  crm.search.failed = null;
  await find('gốm');
  await find('  Gốm ');
  await find('gốm', callerOf('binh'));
  expect(crm.searches).toBe(3);
  clock.advance(60_000);
  await find('gốm');
  expect(crm.searches).toBe(4);
});

test('who searches too often is told when to come back, and nobody else', async () => {
  const { find, crm, clock } = findWorld();
  for (let n = 0; n < 10; n += 1) await find(`gốm ${n}`);
  await expect(find('gốm 11')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
  expect(crm.searches).toBe(10);
  await find('gốm 11', callerOf('binh'));
  clock.advance(5_000);
  await find('gốm 11');
});

test('one agent has two searches under way at most, and others do not wait behind them', async () => {
  const { find, crm } = findWorld();
  const { promise, resolve } = Promise.withResolvers<void>();
  crm.hold = promise;
  const own = ['a1', 'a2', 'a3'].map((query) => find(query));
  const other = find('b1', callerOf('binh'));
  await expect.poll(() => crm.searches).toBe(3);
  resolve();
  await Promise.all([...own, other]);
  expect(crm.searches).toBe(4);
});

describe('without a text, by the ticket’s sender', () => {
  const byAddress = (n: number) => hit(n, undefined, { emails: ['lan@shop.example'] });
  const byPhone = hit(2, undefined, { phones: ['0900000001'] });
  function senderWorld(sender: string | null = 'lan@shop.example', mobile_no = '0900 000 001') {
    const w = findWorld();
    w.desk.put('Contact', 'Lan', { full_name: 'Lan', mobile_no });
    w.desk.put('HD Ticket', '61307', { raised_by: sender, contact: 'Lan' });
    return w;
  }

  test('their address and telephone are asked for in one request, in the lane of those for whom nobody waits', async () => {
    const w = senderWorld();
    w.crm.search.companies = [byAddress(1)];
    const found = await w.find();
    expect(found).toMatchObject({
      read_as: ['email', 'phone'],
      companies: [{ bitrix_id: '1', found_by: [{ by: 'email' }] }],
    });
    const readings = [
      { kind: 'email', value: 'lan@shop.example' },
      { kind: 'phone', value: '0900000001' },
    ];
    expect([w.asked, w.crm.searches]).toEqual([[{ readings, lane: 'open' }], 1]);
    expect(w.desk.calls).not.toContain('searchCustomers');
  });

  test('it is asked once a ticket: opened again within minutes, what was answered holds', async () => {
    const w = senderWorld();
    await w.find();
    w.clock.advance(5 * 60_000);
    await w.find();
    expect(w.crm.searches).toBe(1);
    w.clock.advance(10 * 60_000);
    await w.find();
    expect(w.crm.searches).toBe(2);
  });

  test('the telephone counts only where no company has the address', async () => {
    const w = senderWorld();
    w.crm.search.companies = [byPhone, byAddress(1)];
    expect((await w.find()).companies.map(({ bitrix_id }) => bitrix_id)).toEqual(['1']);
    const other = senderWorld();
    other.crm.search.companies = [byPhone];
    expect((await other.find()).companies).toMatchObject([{ bitrix_id: '2', found_by: [{ by: 'phone' }] }]);
  });

  test('three at most are proposed, none without an org id, none that an agent has rejected for them until that is undone', async () => {
    const w = senderWorld();
    const [first, ...four] = [1, 2, 3, 4, 5].map(byAddress);
    w.crm.search.companies = [{ ...first, orgId: null } as CompanyHit, ...four];
    const found = await w.find();
    expect([found.companies.length, found.more]).toEqual([3, true]);
    expect(found.companies.map(({ bitrix_id }) => bitrix_id)).not.toContain('1');
    const orgId = OrgId.parse('1005');
    const proposed = async () => (await w.find()).companies.map(({ bitrix_id }) => bitrix_id);
    expect(await proposed()).toContain('5');
    const rejectionId = await rejectEarlier(w.ctx.db, { orgId, crmCompanyId: '5', sender: 'lan@shop.example' });
    expect(await proposed()).not.toContain('5');
    await undoRejection(callBy(w.ctx, 'an'), { ticket: '61307', rejection_id: rejectionId });
    expect(await proposed()).toContain('5');
  });

  test('a ticket of nobody with no telephone asks for nothing', async () => {
    const w = senderWorld(null, '');
    expect(await w.find()).toMatchObject({ read_as: [], companies: [] });
    expect(w.crm.searches).toBe(0);
  });
});

const read = (text: string) => readQuery(text, { platform_hosts: ['myplatform.example'], guarded_domains: [] });
const id = (value: string) => OrgId.parse(value);

function customer(name: string, more: Partial<CustomerHit> = {}): CustomerHit {
  return { name, orgId: null, crmId: null, plan: null, marks: { ...noMarks, names: [name] }, ...more };
}

const foundFor = (text: string, companies: CompanyHit[], customers: CustomerHit[] = []) =>
  orderFound(mergeHits(read(text), { companies, customers }), []);

describe('what CRM and helpdesk both know is one company', () => {
  test('by its org id, with the customer’s name and the closest reason of each kind', () => {
    const found = foundFor(
      'gốm sứ',
      [
        companyHit('63002', 'Gốm Sứ Làng Mơ', {
          orgId: id('200000376001'),
          plan: 'Scale',
          url: 'https://crm.example/2',
        }),
      ],
      [customer('Gốm Sứ Làng Mơ - 200000376001', { orgId: id('200000376001'), plan: 'older plan' })],
    );
    expect(found).toMatchObject([
      { orgId: '200000376001', crmId: '63002', customer: 'Gốm Sứ Làng Mơ - 200000376001', plan: 'Scale' },
    ]);
    expect(found[0]?.reasons.map(({ value }) => value)).toEqual(['Gốm Sứ Làng Mơ']);
  });

  test('by the CRM’s id where one of them has no org id, and not against an org id', () => {
    const linked = customer('Gốm A', { orgId: id('555'), crmId: '1' });
    expect(foundFor('gốm', [companyHit('1', 'Gốm')], [linked])).toMatchObject([
      { orgId: '555', crmId: '1', customer: 'Gốm A' },
    ]);
    const other = foundFor('gốm', [companyHit('1', 'Gốm', { orgId: id('777') })], [linked]);
    expect(other.map(({ orgId, customer: name }) => [orgId, name])).toEqual([
      ['777', null],
      ['555', 'Gốm A'],
    ]);
  });

  test('of several companies with one org id the last changed is taken and the others are counted', () => {
    const orgId = id('1900000017');
    const found = foundFor('sen đá', [
      companyHit('63101', 'Sen Đá (cũ)', { orgId, modifiedAt: 1 }),
      companyHit('63006', 'Sen Đá', { orgId, modifiedAt: 2 }),
      companyHit('63007', 'Sen Đá CN', { orgId, modifiedAt: 1 }),
    ]);
    expect(found).toMatchObject([{ crmId: '63006', twins: 2 }]);
    const second = companyHit('9', 'Sen Đá mới', { orgId, isFirst: false, modifiedAt: 3 });
    expect(foundFor('sen đá', [second, companyHit('8', 'Sen Đá', { orgId })])).toMatchObject([
      { crmId: '8', twins: 1 },
    ]);
  });

  test('one that comes twice counts once, and what does not match is left out', () => {
    const twice = companyHit('1', 'Gốm', { marks: { emails: ['a@b.example'] } });
    expect(foundFor('a@b.example', [twice, twice, companyHit('2', 'Gốm')])).toMatchObject([{ crmId: '1', twins: 0 }]);
  });
});

test('the closest match comes first; then what can be linked, what the helpdesk has, what changed last', () => {
  const found = foundFor(
    'sen',
    [
      companyHit('1', 'Hoa Sen', { orgId: id('1'), modifiedAt: 9 }),
      companyHit('2', 'Sen Đá', { orgId: id('2'), modifiedAt: 1 }),
      companyHit('3', 'Sen Đá', { orgId: id('3'), modifiedAt: 2 }),
      companyHit('4', 'Sen Đá', { modifiedAt: 3 }),
      companyHit('5', 'Sen', { orgId: id('5') }),
    ],
    [customer('Sen Đá - 2', { orgId: id('2') })],
  );
  const ids = (companies: typeof found) => companies.map(({ crmId }) => crmId);
  expect(ids(found)).toEqual(['5', '2', '3', '4', '1']);
  // Of equals those come first that agents chose for the sender, and what was not found is not added.
  const chosen = ['4', '3', '1', '9'].map((crmCompanyId) => ({ orgId: id('999'), crmCompanyId }));
  expect(ids(orderFound(found, chosen))).toEqual(['5', '4', '3', '2', '1']);
});
