import { describe, expect, test } from 'vitest';
import { searchCompany } from '#crm/lookup.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { enrichmentWorld, newName, orgId, otherAgent, otherOrgId, ticket } from '#testing/enrichment-kit.ts';
import { failed } from '#testing/fakes.ts';
import { matched, modifiedAt, notFound, sampleCompany } from '#testing/sample-companies.ts';

const minute = 60_000;
const own = { platformOrgId: orgId, crmCompanyId: '63001', companyModifiedAt: modifiedAt };

describe('guard rules, in the specification’s order', () => {
  test.each([
    ['missing_orgid', { orgId: null }, {}],
    ['missing_orgid', { orgId: null }, { crmEnabled: false, configured: false }],
    ['disabled', {}, { crmEnabled: false }],
    ['disabled', {}, { crmEnabled: false, configured: false }],
    ['missing_config', {}, { configured: false }],
  ])('%s for %j with %j asks and writes nothing', async (status, input, options) => {
    const w = enrichmentWorld(options);
    expect(await w.enrich(input)).toEqual({ status });
    expect([w.asked, w.desk.writes, w.desk.reads]).toEqual([[], [], 0]);
    w.link('theirs');
    const unlinked = { name: ticket, linked: false, previous_customer: 'theirs' };
    expect(await w.enrich({ ticket, ...input })).toEqual({ status, ticket: unlinked });
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
    expect(w.asked.map(({ by }) => by)).toEqual(['platform_orgid_then_company_id', 'platform_orgid_then_company_id']);
  });

  test('not_found writes the two times and the status, and blanks nothing', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, segment: 'Medium' });
    w.crm.answer = () => notFound;
    const data = await w.enrich();
    expect(data).toMatchObject({ status: 'not_found', hd_customer: 'Shop' });
    expect(w.desk.customers.get('Shop')).toEqual({
      ...own,
      segment: 'Medium',
      syncStatus: 'not_found',
      lastCheckedAt: w.clock(),
      notFoundAt: w.clock(),
    });
    expect(w.desk.writes).toHaveLength(1);
  });

  test('a match clears the time of not being found', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { platformOrgId: orgId, syncStatus: 'not_found', notFoundAt: 5 });
    await w.enrich();
    expect(w.desk.customers.get('Shop')).toMatchObject({ syncStatus: 'matched', notFoundAt: undefined });
  });

  test('DATE_MODIFY unchanged: only the time of the check is touched, also where a person has changed a value', async () => {
    const w = enrichmentWorld();
    await w.enrich();
    w.desk.customers.edit(newName, { segment: 'SME' });
    w.desk.writes.length = 0;
    w.clock.advance(61 * minute);
    const data = await w.enrich({ force: true });
    expect(data.changes?.map(({ field }) => field)).toEqual(['custom_crm_last_checked_at']);
    expect(w.desk.writes).toEqual([`update ${newName} lastCheckedAt`]);
    expect(w.desk.customers.get(newName)?.segment).toBe('SME');
  });

  test('newer data: what differs is written, with the time of the sync, and the snapshot', async () => {
    const w = enrichmentWorld();
    await w.enrich();
    w.desk.writes.length = 0;
    w.clock.advance(61 * minute);
    const newer = { modifiedAt: modifiedAt + minute, payload: '{"ID":"63001","X":"1"}' };
    w.crm.answer = () => matched(sampleCompany(newer, { current_shopplan: 'OMNI SCALE' }));
    const data = await w.enrich({ force: true });
    const fields = 'shopPlan companyModifiedAt lastSyncedAt lastCheckedAt';
    expect(w.desk.writes).toEqual([`update ${newName} ${fields}`, 'snapshot 63001']);
    expect(data).toMatchObject({ snapshot: 'written', created: false });
    expect(data.changes).toContainEqual({ field: 'custom_shopplan_name', from: 'Grow 2024', to: 'OMNI SCALE' });
  });

  test('error: recorded once, last_checked and all else untouched, with the request’s id', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', own);
    w.crm.answer = () => failed;
    const data = await w.enrich();
    expect(data).toMatchObject({
      status: 'error',
      hd_customer: 'Shop',
      error: { code: 'timeout', request_id: 'r1' },
    });
    await w.enrich();
    expect(w.desk.writes).toEqual(['update Shop syncStatus']);
    expect(w.desk.customers.get('Shop')).toEqual({ ...own, syncStatus: 'error' });
  });

  test('error with a helpdesk that fails as well is still the CRM’s error', async () => {
    const w = enrichmentWorld();
    w.crm.answer = () => failed;
    w.desk.simulator.fault = ({ path }) => (path.includes('HD Customer') ? 503 : null);
    expect(await w.enrich()).toMatchObject({ status: 'error', hd_customer: null });
  });

  test('after an error, an unchanged company is matched again', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, syncStatus: 'error', lastCheckedAt: 1 });
    await w.enrich();
    expect(w.desk.writes[0]).toBe('update Shop syncStatus lastCheckedAt');
  });
});

test('the platform’s domain of an org id is written where the platform’s host is known (decision 18)', async () => {
  const w = enrichmentWorld({ platformHost: 'myplatform.example' });
  await w.enrich();
  expect(w.desk.customers.get(newName)?.myplatform).toBe(`${orgId}.myplatform.example`);
  const without = enrichmentWorld();
  await without.enrich();
  expect(without.desk.customers.get(newName)?.myplatform).toBeUndefined();
});

describe('the ticket in the answer', () => {
  test.each([
    ['error', failed],
    ['not_found', notFound],
  ])('is there where the CRM says %s', async (status, answer) => {
    const w = enrichmentWorld();
    w.crm.answer = () => answer;
    const unlinked = { name: ticket, linked: false, previous_customer: null };
    expect(await w.enrich({ ticket })).toMatchObject({ status, ticket: unlinked });
    expect(await w.enrich()).not.toHaveProperty('ticket');
  });
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

  test('that may write customers enriches by an org id alone', async () => {
    const w = integration(['System Manager']);
    expect(await w.asks()).toMatchObject({ status: 'matched', hd_customer: newName, created: true });
  });

  test('that may write the ticket links it; a claim only where claims are accepted', async () => {
    const w = integration(['System Manager']);
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

  test('T9: a name that another org’s customer has is a conflict, not an overwriting', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set(newName, { platformOrgId: otherOrgId });
    await expect(w.enrich()).rejects.toMatchObject({
      code: 'identity_conflict',
      conflict: { asked: orgId, found: otherOrgId },
    });
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
    w.crm.answer = () => matched(sampleCompany({ payload: '{"SECRET":"canary-9d1"}' }));
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

  test('unchanged data: no business write over 100 enrichments, no write at all within one second', async () => {
    const w = enrichmentWorld();
    await w.enrich({ ticket });
    w.desk.writes.length = 0;
    for (let i = 0; i < 10; i += 1) await w.enrich({ force: true, ticket });
    expect(w.desk.writes).toEqual([]);
    for (let i = 0; i < 90; i += 1) {
      w.clock.advance(minute);
      await w.enrich({ force: true, ticket });
    }
    expect(new Set(w.desk.writes)).toEqual(new Set([`update ${newName} lastCheckedAt`]));
  });
});
