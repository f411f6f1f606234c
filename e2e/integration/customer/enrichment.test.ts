import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demo } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import type { World } from '../../demo/world.ts';
import { call, documentsOf, keepSnapshots, refusal, writesOf } from '../enrichment-kit.ts';
import { world } from '../kit.ts';
import { spawnProxy } from '../spawn-proxy.ts';

const { tickets } = demo;
const many = sized({ small: 20, full: 100 });
/** A shop that the helpdesk has no customer for. */
const fresh = '1000700232';
const freshName = `Đèn Lồng Phố Hội - ${fresh}`;

describe.each(['1.24', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('a new org id: customer and snapshot are created, the ticket is linked, times are the site’s', async () => {
    const w = await world({ generation });
    keepSnapshots(w);
    const before = Date.now();
    const data = await call(w, 'enrichCompany', { orgid: fresh, ticket: tickets.onlyTicketOrgId });
    expect(data).toMatchObject({
      status: 'matched',
      hd_customer: freshName,
      created: true,
      snapshot: 'written',
      ticket: { name: tickets.onlyTicketOrgId, linked: true, previous_customer: null },
      company: { id: '63032' },
    });
    const customer = w.helpdesk.document('HD Customer', freshName);
    expect(customer).toMatchObject({
      custom_platform_orgid: fresh,
      custom_crm_company_id: '63032',
      custom_crm_company_url: `${w.crm.url}/crm/company/details/63032/`,
      custom_crm_match_confidence: 95,
      custom_crm_sync_status: 'matched',
      custom_customer_segment: 'SME',
      custom_shopplan_name: 'STANDARD',
    });
    const written = String(customer?.custom_crm_last_checked_at);
    expect(written).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    const instant = Date.parse(`${written.slice(0, 19).replace(' ', 'T')}+07:00`);
    expect(Math.abs(instant - before)).toBeLessThan(60_000);
    expect(String(w.helpdesk.document('HD Ticket', tickets.onlyTicketOrgId)?.customer)).toBe(freshName);
    const [snapshot, ...more] = await documentsOf(w, 'HD Customer Data');
    expect(more).toEqual([]);
    expect(snapshot).toMatchObject({
      source: 'crm',
      entity_type: 'company',
      external_id: '63032',
      match_key: 'platform_orgid:UF_CRM_PLATFORM_ORG_ID',
      hd_customer: freshName,
    });
    expect(JSON.parse(String(snapshot?.summary_json)).ID).toBe('63032');
  });

  test('cached: the CRM is not asked, nothing is written, and a ticket that is not linked yet is', async () => {
    const w = await world({ generation });
    await call(w, 'enrichCompany', { orgid: fresh });
    w.crm.clearJournal();
    w.helpdesk.clearJournal();
    const again = await call(w, 'enrichCompany', { orgid: fresh });
    expect(again).toMatchObject({ status: 'cached', outcome: 'matched', hd_customer: freshName, changes: [] });
    expect([w.crm.journal, writesOf(w)]).toEqual([[], []]);
    const linking = await call(w, 'enrichCompany', { orgid: fresh, hd_ticket: tickets.onlyTicketOrgId });
    expect(linking).toMatchObject({ status: 'cached', ticket: { linked: true } });
    // The link, and the time of the check.
    const put = `PUT HD Ticket ${tickets.onlyTicketOrgId}`;
    expect(writesOf(w)).toEqual([put, put]);
  });

  test(`${many} callers in two processes create one customer and one snapshot`, async () => {
    const data = await mkdtemp(path.join(tmpdir(), 'deskside-two-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const w = await world({ generation, data });
    keepSnapshots(w);
    const second = await spawnProxy(proxyEnvironment(w, `file:${data}`));
    const proxies = [w, { proxyUrl: second.url }];
    const calls = Array.from({ length: many }, (_, i) =>
      call(proxies[i % 2] ?? w, 'enrichCompany', { orgid: fresh, force: i % 3 === 0 ? 1 : 0 }),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ hd_customer }) => hd_customer))).toEqual(new Set([freshName]));
    expect(await documentsOf(w, 'HD Customer', [['custom_platform_orgid', '=', fresh]])).toHaveLength(1);
    expect(await documentsOf(w, 'HD Customer Data')).toHaveLength(1);
    expect(writesOf(w).filter((write) => write.startsWith('POST'))).toHaveLength(2);
  });

  test(`unchanged data: no business write over ${many} enrichments`, async () => {
    const w = await world({ generation });
    keepSnapshots(w);
    await call(w, 'enrichCompany', { orgid: fresh, ticket: tickets.onlyTicketOrgId });
    const stamp = () => w.helpdesk.document('HD Ticket', tickets.onlyTicketOrgId)?.modified;
    const ticketBefore = stamp();
    const customerBefore = { ...w.helpdesk.document('HD Customer', freshName) };
    w.helpdesk.clearJournal();
    for (let i = 0; i < many; i += 1) {
      await call(w, 'enrichCompany', { orgid: fresh, ticket: tickets.onlyTicketOrgId, force: i % 10 === 0 ? 1 : 0 });
    }
    const times = ['modified', 'custom_crm_last_checked_at'];
    const business = (document: object | undefined) =>
      Object.entries(document ?? {}).filter(([field]) => !times.includes(field));
    expect(business(w.helpdesk.document('HD Customer', freshName))).toEqual(business(customerBefore));
    expect(stamp()).toBe(ticketBefore);
    // The time of a check is kept to the second, so the forced ones write at most once each.
    expect(writesOf(w).filter((write) => write !== `PUT HD Customer ${freshName}`)).toEqual([]);
    expect(writesOf(w).length).toBeLessThanOrEqual(many / 10);
  });
});

test('a ticket or customer that does not exist is 404, also one that a database would coerce', async () => {
  const w = await world({ generation: '1.24' });
  for (const ticket of ['999999', `${tickets.onlyTicketOrgId}abc`]) {
    expect(await refusal(w, 'enrichCompany', { orgid: fresh, ticket })).toMatchObject({ code: 'ticket_not_found' });
  }
  const hd_customer = 'Nobody - 1';
  expect(await refusal(w, 'enrichCompany', { orgid: fresh, hd_customer })).toMatchObject({
    status: 404,
    code: 'customer_not_found',
  });
});

describe('upstream bugs', () => {
  test('a CRM error with HTTP 200 is an error, not "not found", and no time of not being found is written', async () => {
    const w = await world();
    w.crm.fault = 'error_200';
    const name = 'Gốm Sứ Làng Mơ - 200000376001';
    expect(await call(w, 'enrichCompany', { orgid: '200000376001', force: 1 })).toMatchObject({
      status: 'error',
      hd_customer: name,
    });
    expect(w.helpdesk.document('HD Customer', name)).toMatchObject({ custom_crm_sync_status: 'error' });
    expect(w.helpdesk.document('HD Customer', name)?.custom_crm_not_found_at ?? null).toBeNull();
  });

  test('a ticket of customer B with org id A: B is not overwritten, and a claim does not take the ticket away', async () => {
    const w = await world();
    const ticket = tickets.forgedLink;
    const theirs = 'Gốm Sứ Làng Mơ - 200000376001';
    const before = { ...w.helpdesk.document('HD Customer', theirs) };
    const data = await call(w, 'enrichCompany', { orgid: fresh, ticket });
    expect(data).toMatchObject({
      hd_customer: freshName,
      ticket: { linked: false, previous_customer: theirs },
      conflict: { code: 'customer_has_other_orgid', asked: fresh, found: '200000376001' },
    });
    expect(w.helpdesk.document('HD Customer', theirs)).toEqual(before);
  });

  test('an org id beyond 2,147,483,647 is written as it is', async () => {
    const w = await world();
    await call(w, 'enrichCompany', { orgid: 200000376012, force: 1 });
    const [customer] = await documentsOf(w, 'HD Customer', [['custom_platform_orgid', '=', '200000376012']]);
    expect(customer?.custom_crm_company_id).toBe('63012');
  });

  test('no company in the CRM: checked and not-found times, cached for the next one, nobody created', async () => {
    const w = await world();
    const name = 'Cửa Hàng Đã Đóng - 1999999999';
    expect(await call(w, 'enrichCompany', { orgid: '1999999999' })).toMatchObject({
      status: 'not_found',
      hd_customer: name,
    });
    w.crm.clearJournal();
    expect(await call(w, 'enrichCompany', { orgid: '1999999999' })).toMatchObject({
      status: 'cached',
      outcome: 'not_found',
    });
    expect(w.crm.journal).toEqual([]);
    await call(w, 'enrichCompany', { orgid: '1888888888' });
    await call(w, 'enrichCompany', { orgid: '1888888888' });
    expect(w.crm.journal).toHaveLength(1);
    expect(writesOf(w)).toEqual([`PUT HD Customer ${name}`]);
  });

  test('a file field’s address with the webhook’s secret does not reach the snapshot', async () => {
    const w = await world();
    keepSnapshots(w);
    await call(w, 'enrichCompany', { orgid: '200000376001', force: 1 });
    const [snapshot] = await documentsOf(w, 'HD Customer Data');
    for (const secret of w.crm.secrets) expect(String(snapshot?.summary_json)).not.toContain(secret);
  });

  test('a hostile company name makes a harmless customer name', async () => {
    const w = await world();
    for (const { name } of await documentsOf(w, 'HD Customer', [['custom_platform_orgid', '=', '1000700221']])) {
      w.helpdesk.put('HD Customer', {
        ...w.helpdesk.document('HD Customer', String(name)),
        name: String(name),
        custom_platform_orgid: null,
      });
    }
    const { hd_customer } = await call(w, 'enrichCompany', { orgid: '1000700221' });
    expect(hd_customer).toMatch(/^[^<>]+ - 1000700221$/);
  });

  test('T13: both fields are looked up in one request', async () => {
    const w = await world();
    await call(w, 'enrichCompany', { orgid: '1000700231' });
    expect(w.crm.journal.map(({ method }) => method)).toEqual(['batch']);
  });

  test('T5: a duplicate of the org id is told, the newer one is used', async () => {
    const w = await world();
    const data = await call(w, 'enrichCompany', { orgid: '1900000017' });
    expect(data.company?.id).toBe('63006');
    expect(data.alternatives?.map(({ bitrix_id }) => bitrix_id)).toContain('63101');
  });

  test('a company that changes in the CRM is written once, field by field', async () => {
    const w = await world();
    keepSnapshots(w);
    await call(w, 'enrichCompany', { orgid: fresh });
    w.helpdesk.clearJournal();
    const known = w.crm.company('63032');
    if (!known) throw new Error('The seed lacks the company.');
    const DATE_MODIFY = new Date(Date.now() + 60_000).toISOString().replace(/\.\d+Z$/, '+00:00');
    w.crm.putCompany({ ...known, DATE_MODIFY, UF_CRM_CURRENT_SHOPPLAN: 'Grow 2025' });
    const data = await call(w, 'enrichCompany', { orgid: fresh, force: 1 });
    expect(data).toMatchObject({ status: 'matched', snapshot: 'written' });
    expect(data.changes).toContainEqual({ field: 'custom_shopplan_name', from: 'STANDARD', to: 'Grow 2025' });
    expect(data.changes?.map(({ field }) => field)).not.toContain('custom_customer_segment');
    expect(writesOf(w)).toHaveLength(2);
  });

  test('an edit by a person in the very moment of writing stays', async () => {
    const w = await world();
    const name = 'Gốm Sứ Làng Mơ - 200000376001';
    let edits = 0;
    w.helpdesk.latency = ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('HD Customer') || edits > 0) return 0;
      edits += 1;
      const stored = w.helpdesk.document('HD Customer', name);
      w.helpdesk.put('HD Customer', {
        ...stored,
        name,
        custom_customer_segment: 'VIP by hand',
        modified: '2099-01-01 00:00:00.000000',
      });
      return 0;
    };
    const known = w.crm.company('63002');
    if (!known) throw new Error('The seed lacks the company.');
    w.crm.putCompany({ ...known, UF_CRM_1778130421650: '15094', UF_CRM_CURRENT_SHOPPLAN: 'OMNI SCALE 2026' });
    expect(await call(w, 'enrichCompany', { orgid: '200000376001', force: 1 })).toMatchObject({ status: 'matched' });
    expect(edits).toBe(1);
    expect(w.helpdesk.document('HD Customer', name)).toMatchObject({
      custom_customer_segment: 'VIP by hand',
      custom_shopplan_name: 'OMNI SCALE 2026',
    });
  });

  test('a company that only the platform’s field names is found (T4)', async () => {
    const w = await world();
    expect(await call(w, 'enrichCompany', { orgid: '1000700231' })).toMatchObject({
      status: 'matched',
      company: { id: '63031' },
    });
  });
});

test('refresh asks the CRM inside the TTL too and gives the profile with what changed', async () => {
  const w = await world();
  const hd_customer = 'Gốm Sứ Làng Mơ - 200000376001';
  const first = await call(w, 'refreshCustomer', { hd_customer });
  expect(first).toMatchObject({
    customer: { name: hd_customer, custom_crm_sync_status: 'matched' },
    bitrix: { status: 'matched', company: { bitrix_id: '63002' }, responsible: { status: 'active' } },
  });
  expect(first.changes?.length).toBeGreaterThan(0);
  w.crm.clearJournal();
  await call(w, 'refreshCustomer', { hd_customer });
  expect(w.crm.journal.filter(({ method }) => method === 'batch')).toHaveLength(1);
});

const askers = {
  force: (w: World) => call(w, 'enrichCompany', { orgid: fresh, force: 1 }),
  refresh: (w: World) => call(w, 'refreshCustomer', { hd_customer: freshName }),
  sync: (w: World) =>
    call(w, 'syncTicketCustomer', { ticket: tickets.onlyTicketOrgId, company_id: fresh, action: 'apply' }),
};

test.each(Object.keys(askers) as (keyof typeof askers)[])(
  'DATE_MODIFY unchanged, %s: blanks are filled, and what stands there stays',
  async (how) => {
    let ahead = 0;
    const w = await world({ clock: () => Date.now() + ahead });
    await call(w, 'enrichCompany', { orgid: fresh });
    const customer = (): Record<string, unknown> & { name: string } =>
      w.helpdesk.document('HD Customer', freshName) ?? { name: freshName };
    const company = w.crm.company('63032') ?? { ID: '63032' };
    const later = () => {
      ahead += 61 * 60_000;
    };

    w.crm.putCompany({ ...company, UF_CRM_CURRENT_SHOPPLAN: 'OMNI GROW' });
    w.helpdesk.put('HD Customer', { ...customer(), custom_crm_company_url: '', custom_customer_segment: 'Medium' });
    later();
    await call(w, 'enrichCompany', { orgid: fresh });
    expect(customer()).toMatchObject({ custom_shopplan_name: 'STANDARD', custom_crm_company_url: '' });
    await askers[how](w);
    expect(customer()).toMatchObject({
      custom_shopplan_name: 'STANDARD',
      custom_crm_company_url: `${w.crm.url}/crm/company/details/63032/`,
      custom_customer_segment: 'Medium',
    });
  },
);

test('the older panel’s endpoint gives what the helpdesk has, without the CRM', async () => {
  const w = await world();
  const name = 'Gốm Sứ Làng Mơ - 200000376001';
  const custom_crm_company_url = `${w.crm.url}/crm/company/details/63002/`;
  w.helpdesk.put('HD Customer', { ...w.helpdesk.document('HD Customer', name), name, custom_crm_company_url });
  const data = await call(w, 'legacyProfile', { ticket: tickets.matched });
  expect(data).toMatchObject({
    ticket: { name: tickets.matched, orgid: '200000376001' },
    customer: { name, haravan_orgid: '200000376001', bitrix_company_id: '63002' },
    bitrix: {
      status: 'matched',
      cached: true,
      company: { id: '63002', title: name, url: custom_crm_company_url },
    },
  });
  expect(w.crm.journal).toEqual([]);
  expect((await call(w, 'legacyProfile', { ticket: tickets.matched, refresh: 1 })).bitrix.status).toBe('matched');
  expect((await call(w, 'legacyProfile', { ticket: tickets.missingOrgId })).bitrix.status).toBe('idle');
});
