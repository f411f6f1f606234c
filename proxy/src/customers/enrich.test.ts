import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { searchCompany } from '#crm/lookup.ts';
import { failed } from '#crm/testing/fakes.ts';
import { matched, modifiedAt, notFound, sampleCompany } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { AppError } from '#runtime/app-error.ts';
import { enrichmentWorld, newName, orgId, otherAgent, otherOrgId, ticket } from '#testing/enrichment-kit.ts';

const minute = 60_000;
const unlinked = { name: ticket, linked: false, previous_customer: null };
const own = { platformOrgId: orgId, crmCompanyId: '63001', companyModifiedAt: modifiedAt };

describe('guard rules, in the specification’s order', () => {
  test.each([
    ['missing_orgid', { orgid: null }, {}],
    ['missing_orgid', { orgid: null }, { crmEnabled: false, configured: false }],
    ['disabled', {}, { crmEnabled: false }],
    ['disabled', {}, { crmEnabled: false, configured: false }],
    ['missing_config', {}, { configured: false }],
  ])('%s for %j with %j asks and writes nothing', async (status, input, options) => {
    const w = enrichmentWorld(options);
    const logged = vi.spyOn(w.ctx.logger, 'error');
    onTestFinished(() => logged.mockRestore());
    expect(await w.enrich(input)).toEqual({ status });
    expect([w.asked, w.desk.writes, w.desk.reads, logged.mock.calls]).toEqual([[], [], 0, []]);
    w.link('theirs');
    const kept = { ...unlinked, previous_customer: 'theirs' };
    expect(await w.enrich({ ticket, ...input })).toEqual({ status, ticket: kept });
  });

  test('cached: the time of the check that the cache holds is written where the record does not have it', async () => {
    const w = enrichmentWorld({ ttlMinutes: 60 });
    await searchCompany({ ...w.ctx, crm: w.layers }, orgId, { refresh: false, lane: 'open' });
    w.desk.customers.set(newName, { ...own, syncStatus: 'matched', lastCheckedAt: w.clock() - minute });
    await w.enrich();
    await w.enrich();
    expect(w.desk.writes.filter((write) => write.startsWith('update'))).toEqual([`update ${newName} lastCheckedAt`]);
  });

  test('force is passed on, and nothing else is', async () => {
    const w = enrichmentWorld({ ttlMinutes: 60 });
    await w.enrich();
    await w.enrich();
    expect(w.asked).toHaveLength(1);
    await w.enrich({ force: true });
    expect(w.asked).toHaveLength(2);
  });

  test('the CRM has as long as CRM_TIMEOUT_SECONDS says', async () => {
    const w = enrichmentWorld();
    await w.enrich();
    await w.enrich({ ticket });
    expect(w.asked.map(({ deadline }) => deadline - w.clock())).toEqual([w.ctx.crmTimeoutMs, w.ctx.crmTimeoutMs]);
  });

  test('not_found writes the two times and the status, and blanks nothing; a match leaves when that was', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, segment: 'Medium' });
    w.crm.answer = () => notFound;
    const [checkedAt, looked] = [w.clock(), await w.enrich()];
    expect(looked).toMatchObject({ status: 'not_found', hd_customer: 'Shop' });
    expect(looked).not.toHaveProperty('ticket');
    expect(w.desk.customers.get('Shop')).toEqual({
      ...own,
      segment: 'Medium',
      syncStatus: 'not_found',
      lastCheckedAt: checkedAt,
      notFoundAt: checkedAt,
    });
    expect(w.desk.writes).toHaveLength(1);
    expect((await w.enrich({ ticket })).ticket).toEqual(unlinked);
    w.crm.answer = () => matched(sampleCompany());
    await w.enrich();
    expect(w.desk.customers.get('Shop')).toMatchObject({ syncStatus: 'matched', notFoundAt: checkedAt });
  });

  test('DATE_MODIFY unchanged: the time of the check alone, once a second, also where a person or the CRM has changed a value', async () => {
    const w = enrichmentWorld();
    const record = { ID: '63001', DATE_MODIFY: '2026-05-05T18:40:10+00:00' };
    w.crm.records['63001'] = JSON.stringify(record);
    await w.enrich();
    w.desk.customers.edit(newName, { segment: 'SME' });
    w.crm.records['63001'] = JSON.stringify({ ...record, X: '1' });
    w.crm.answer = () => matched(sampleCompany({}, { current_shopplan: 'OMNI SCALE' }));
    w.desk.writes.length = 0;
    for (const _ of [1, 2]) await w.enrich({ force: true });
    expect(w.desk.writes).toEqual([]);
    for (const _ of [1, 2]) {
      w.clock.advance(minute);
      const { changes } = await w.enrich({ force: true });
      expect(changes?.map(({ field }) => field)).toEqual(['custom_crm_last_checked_at']);
    }
    expect(w.desk.writes).toEqual(Array(2).fill(`update ${newName} lastCheckedAt`));
    expect(w.desk.customers.get(newName)).toMatchObject({ segment: 'SME', shopPlan: 'Grow 2024' });
  });

  test('newer data: what differs is written, with the time of the sync, and the snapshot', async () => {
    const w = enrichmentWorld();
    await w.enrich();
    w.desk.writes.length = 0;
    w.clock.advance(61 * minute);
    w.crm.records['63001'] = '{"ID":"63001","X":"1"}';
    w.crm.answer = () =>
      matched(sampleCompany({ modifiedAt: modifiedAt + minute }, { current_shopplan: 'OMNI SCALE' }));
    const data = await w.enrich({ force: true });
    const fields = 'shopPlan companyModifiedAt lastSyncedAt lastCheckedAt';
    expect(w.desk.writes).toEqual([`update ${newName} ${fields}`, 'snapshot 63001']);
    expect(data).toMatchObject({ snapshot: 'written', created: false });
    expect(data.changes).toContainEqual({ field: 'custom_shopplan_name', from: 'Grow 2024', to: 'OMNI SCALE' });
  });

  test('error: recorded once, last_checked and all else untouched, with the request’s id, until it answers', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', own);
    w.crm.answer = () => failed;
    const error = { code: 'timeout', request_id: 'r1' };
    expect(await w.enrich()).toMatchObject({ status: 'error', hd_customer: 'Shop', error });
    expect(await w.enrich()).not.toHaveProperty('ticket');
    expect(w.desk.writes).toEqual(['update Shop syncStatus']);
    expect(w.desk.customers.get('Shop')).toEqual({ ...own, syncStatus: 'error' });
    expect((await w.enrich({ ticket })).ticket).toEqual(unlinked);
    w.crm.answer = () => matched(sampleCompany());
    w.desk.writes.length = 0;
    await w.enrich();
    expect(w.desk.writes[0]).toBe('update Shop syncStatus lastCheckedAt');
  });

  test('error with a helpdesk that fails as well is still the CRM’s error', async () => {
    const w = enrichmentWorld();
    w.crm.answer = () => failed;
    w.desk.simulator.fault = ({ path }) => (path.includes('HD Customer') ? 503 : null);
    expect(await w.enrich()).toMatchObject({ status: 'error', hd_customer: null });
  });
});

test('the company that the platform’s field names comes before one that the Company ID names', async () => {
  const w = enrichmentWorld();
  w.crm.answer = () =>
    matched(
      sampleCompany({ matchedFields: ['UF_CRM_COMPANY_ID'] }),
      sampleCompany({ matchedFields: ['UF_CRM_PLATFORM_ORG_ID'] }, { bitrix_id: '63101' }),
    );
  expect(await w.enrich()).toMatchObject({ company: { id: '63101' }, alternatives: [{ bitrix_id: '63001' }] });
});

test.each(['UF_CRM_PLATFORM_ORG_ID', 'UF_CRM_COMPANY_ID'])(
  'the snapshot names the field that matched: %s',
  async (field) => {
    const w = enrichmentWorld();
    w.crm.answer = () => matched(sampleCompany({ matchedFields: [field] }));
    w.crm.records['63001'] = '{"ID":"63001","X":"1"}';
    await w.enrich();
    expect(w.desk.customers.snapshot('63001')).toEqual({
      ...{ customer: newName, matchKey: `platform_orgid:${field}`, confidence: 95 },
      payload: '{"ID":"63001","X":"1"}',
    });
  },
);

test('the platform’s domain of an org id is written where the platform’s host is known (decision 18)', async () => {
  const w = enrichmentWorld({ platformHost: 'myplatform.example' });
  await w.enrich();
  expect(w.desk.customers.get(newName)?.myplatform).toBe(`${orgId}.myplatform.example`);
  const without = enrichmentWorld();
  await without.enrich();
  expect(without.desk.customers.get(newName)?.myplatform).toBeUndefined();
});

describe('an integration', () => {
  /** An account of the desk that is no agent, with these roles. */
  const integrationId = 'ba@desk.example';
  const integration = (roles: string[], claims: 'accept' | 'hold' = 'accept', isOwner = true) => {
    const made = { custom_orgid: orgId, owner: isOwner ? integrationId : 'an@desk.example' };
    const w = enrichmentWorld({ claims, made });
    w.desk.employ(integrationId, roles);
    w.desk.remove('HD Agent', integrationId);
    return { ...w, asks: (input = {}) => w.enrich({ caller: otherAgent, ...input }) };
  };

  test('that may write customers and tickets enriches and links; a claim only where claims are accepted', async () => {
    const w = integration(['System Manager']);
    expect(await w.asks()).toMatchObject({ status: 'matched', hd_customer: newName, created: true });
    expect(await w.asks({ ticket })).toMatchObject({ ticket: { linked: true } });
    const held = integration(['System Manager'], 'hold');
    expect(await held.asks({ ticket })).toMatchObject({ ticket: { linked: false } });
  });

  test.each([
    ['HD Ticket', { ticket }],
    ['HD Customer', {}],
  ])('that may not write %s is told so', async (doctype, input) => {
    const w = integration(['Desk User'], 'accept', false);
    await expect(w.asks(input)).rejects.toThrow(`the right to write ${doctype}`);
    expect(w.desk.writes).toEqual([]);
  });
});

test('an agent whom the helpdesk refuses customers makes none by an org id alone; their ticket’s may be made and linked', async () => {
  const w = enrichmentWorld();
  w.desk.demote('an@desk.example');
  await expect(w.enrich()).rejects.toMatchObject({ code: 'customer_not_writable' });
  expect([w.asked, w.desk.writes]).toEqual([[], []]);
  expect(await w.enrich({ ticket })).toMatchObject({ hd_customer: newName, created: true, ticket: { linked: true } });
});

describe('traps', () => {
  test('T5: the other companies of the org id are told, and a customer that stood for one of them', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, crmCompanyId: '63101' });
    w.crm.answer = () => matched(sampleCompany(), sampleCompany({}, { bitrix_id: '63101' }));
    expect(await w.enrich()).toMatchObject({
      company: { id: '63001' },
      alternatives: [{ bitrix_id: '63101' }],
      conflict: { code: 'other_company_matched', asked: '63101', found: '63001' },
    });
  });

  test('T9: a name that another org’s customer has is not overwritten: the new one has a number', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set(newName, { platformOrgId: otherOrgId });
    const name = `Shop ${orgId} (2) - ${orgId}`;
    expect(await w.enrich()).toMatchObject({ hd_customer: name, created: true });
    expect(await w.enrich()).toMatchObject({ hd_customer: name, created: false });
    expect(w.desk.customers.get(newName)).toEqual({ platformOrgId: otherOrgId });
  });

  test('a save that fails is never reported as matched', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    w.desk.failNext('customers.update', new HelpdeskError('rejected', 'no such option'));
    await expect(w.enrich()).rejects.toMatchObject({ code: 'helpdesk_bad_answer' });
  });

  test('the raw CRM record is not in the answer', async () => {
    const w = enrichmentWorld();
    w.crm.records['63001'] = '{"SECRET":"canary-9d1"}';
    expect(JSON.stringify(await w.enrich({ ticket }))).not.toContain('canary-9d1');
  });

  test('a crash between customer and snapshot is made up for by the next enrichment', async () => {
    const w = enrichmentWorld();
    await w.enrich();
    w.desk.customers.clearSnapshots();
    w.desk.writes.length = 0;
    expect((await w.enrich()).snapshot).toBe('written');
    expect(w.desk.writes).toEqual(['snapshot 63001']);
  });
});

describe('at the same time', () => {
  test('100 callers in two processes create one customer and one snapshot', async () => {
    const w = enrichmentWorld();
    const processes = [w.process(), w.process()];
    await Promise.all(Array.from({ length: 100 }, (_, i) => processes[i % 2]?.enrich({ force: i % 3 === 0 })));
    expect(w.desk.writes).toEqual([`create ${newName}`, 'snapshot 63001']);
    expect(w.rows.leases.size).toBe(0);
  });

  test('a lost race is judged on fresh data, and a person’s edit of meanwhile stays', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, companyModifiedAt: 0, segment: 'SME', shopPlan: 'Old' });
    w.desk.before('update', () => w.desk.customers.edit('Shop', { segment: 'Enterprise' }));
    await w.enrich();
    expect(w.desk.customers.get('Shop')).toMatchObject({ segment: 'Enterprise', shopPlan: 'Grow 2024' });
    await w.enrich({ force: true });
    expect(w.desk.customers.get('Shop')?.segment).toBe('Enterprise');
  });

  test('a customer who becomes somebody else’s meanwhile is not written', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { crmCompanyId: '63001' });
    w.desk.before('update', () => w.desk.customers.edit('Shop', { platformOrgId: otherOrgId }));
    expect((await w.enrich()).hd_customer).toBe(newName);
    expect(w.desk.customers.get('Shop')).toEqual({ crmCompanyId: '63001', platformOrgId: otherOrgId });
  });

  test('three lost races are enough: 409, and every edit stands', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    const edit = () => w.desk.customers.edit('Shop', { myplatform: 'x' });
    for (const _ of [1, 2, 3]) w.desk.before('update', edit);
    await expect(w.enrich()).rejects.toMatchObject({ code: 'changed_since' });
    expect(w.desk.writes).toEqual([]);
  });

  test('a name that is taken in the very moment of creating is the same customer', async () => {
    const w = enrichmentWorld();
    w.desk.before('create', () => w.desk.customers.set(newName, { platformOrgId: orgId }));
    expect(await w.enrich()).toMatchObject({ hd_customer: newName, created: false });
  });
});

test('a workflow that forces many org ids in a row waits for its turn; 429 is for what would take longer than the CRM may', async () => {
  const w = enrichmentWorld();
  w.crm.answer = () => notFound;
  const force = (n: number) => w.enrich({ orgid: String(400_000_000 + n) as OrgId, force: true });
  const began = w.clock();
  for (let n = 0; n < 24; n += 1) expect(await force(n)).toMatchObject({ status: 'not_found' });
  // Twenty at once, then one in three seconds.
  expect(w.clock() - began).toBe(4 * 3_000);
  // Five more wait already, the last of them for fifteen seconds.
  for (let n = 0; n < 5; n += 1) w.ctx.refreshes.spendAhead({ id: 'an@desk.example' }, 15_000);
  await expect(force(24)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 18 });
});

test('who posts hundreds of org ids fills a short queue and is told to come back; other agents are served', async () => {
  const w = enrichmentWorld();
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  w.crm.hold = promise;
  w.crm.answer = () => notFound;
  const orgIds = Array.from({ length: 240 }, (_, i) => String(300_000_000 + i) as OrgId);
  const posted = orgIds.map((orgId) => w.enrich({ orgid: orgId }).catch((error: unknown) => error));
  // The last one is refused at once, while the first are still being looked up.
  expect(await posted.at(-1)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
  const other = w.enrich({ caller: otherAgent, orgid: '1000069002' as OrgId });
  await expect.poll(() => w.asked.some(({ orgId }) => orgId === '1000069002')).toBe(true);
  expect(w.asked.length).toBeLessThanOrEqual(33);
  letGo();
  expect(await other).toMatchObject({ status: 'not_found' });
  const refused = (await Promise.all(posted)).filter((answer) => answer instanceof AppError);
  // 32 at work and 200 waiting are as many as one caller has.
  expect(refused.length).toBe(240 - 232);
  expect(await w.enrich({ orgid: orgIds[239] })).toMatchObject({ status: 'not_found' });
});
