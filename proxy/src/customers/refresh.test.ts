import { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { ClaimsMode } from '@deskside/shared/routing';
import type { TrustLevel } from '@deskside/shared/status';
import { describe, expect, test } from 'vitest';
import { failed } from '#crm/testing/fakes.ts';
import { matched, modifiedAt, notFound, sampleCompany } from '#crm/testing/sample-companies.ts';
import { getLegacyProfile } from '#profile/get-profile.ts';
import { createBackground } from '#runtime/jobs.ts';
import { silent } from '#runtime/testing/quiet.ts';
import { sender } from '#testing/desk-seed.ts';
import { agent, enrichmentWorld, orgId, portalCustomer, ticket } from '#testing/enrichment-kit.ts';
import { refreshCustomer, refreshCustomers } from './refresh.ts';

const person = { id: '77', name: 'Vy', post: null, emails: [sender], phones: [], url: null };

type Setting = Partial<{
  change: Record<string, string | null>;
  crmEnabled: boolean;
  configured: boolean;
  level: TrustLevel;
  claims: ClaimsMode;
}>;

type Refresh = { contact?: string | null; customer?: string; caller?: typeof agent };

/** A ticket of the customer Shop and its contact Vy. `change`: fields of the customer. */
function setUp(setting: Setting = {}) {
  const { change = {}, crmEnabled = true, configured = true, level = 'confirmed' } = setting;
  const { claims = 'hold' } = setting;
  const made = { owner: level === 'confirmed' ? sender : 'Administrator', raised_by: sender };
  const w = enrichmentWorld({ made, crmEnabled, configured, claims, ttlMinutes: 60 });
  w.desk.customers.set('Shop', { platformOrgId: orgId });
  w.desk.put('HD Customer', 'Shop', change);
  w.desk.put('Contact', 'Vy', {
    full_name: 'Vy',
    email_id: 'VY@shop.example',
    email_ids: [{ email_id: 'VY@shop.example' }],
  });
  w.desk.put('HD Customer', 'Shop', { contacts: [{ contact_name: 'Vy' }] });
  w.desk.put('HD Ticket', ticket, { contact: 'Vy', customer: 'Shop' });
  const emails = level === 'claimed' ? [] : [sender];
  w.crm.answer = () => matched(sampleCompany({ contacts: [person], emails }));
  const background = createBackground(silent);
  return {
    ...w,
    /** The addresses that the ticket was given. */
    async recorded() {
      await background.idle();
      const written = w.desk.writes.filter((write) => write === `route ${ticket} responsible`);
      return written.map(() => w.desk.routingOf(ticket).responsible);
    },
    refresh: async ({ customer = 'Shop', contact = null, caller = agent }: Refresh = {}) =>
      CustomerRefreshData.parse(await refreshCustomer(w.call(caller), { hd_customer: customer, contact })),
    legacy: async (refresh: boolean) =>
      CustomerRefreshData.parse(await getLegacyProfile({ ...w.call(agent), background }, { ticket, refresh })),
  };
}

describe('refresh', () => {
  test('always asks the CRM, by both fields, and gives the profile with what changed', async () => {
    const w = setUp();
    const data = await w.refresh({ contact: 'Vy' });
    await w.refresh();
    const asked = { orgId, lane: 'click' };
    expect(w.asked).toMatchObject([asked, asked]);
    expect(data).toMatchObject({
      ticket: {},
      customer: { name: 'Shop' },
      contact: { name: 'Vy' },
      bitrix: {
        enabled: true,
        configured: true,
        status: 'matched',
        company: { bitrix_id: '63001', id: '63001', title: `Shop ${orgId} - ${orgId}` },
        contact: { id: '77', chosen_by: 'email' },
        responsible: { id: '338' },
      },
    });
    expect(data.changes?.map(({ field }) => field)).toContain('custom_crm_company_id');
  });

  test.each([
    ['disabled', { crmEnabled: false }],
    ['missing_config', { configured: false }],
    ['missing_orgid', { change: { custom_platform_orgid: null } }],
  ])('%s asks nobody and writes nothing', async (status, options) => {
    const w = setUp(options);
    expect((await w.refresh()).bitrix).toMatchObject({ status, company: null, responsible: null });
    expect([w.asked, w.desk.writes]).toEqual([[], []]);
  });

  test.each(['not_found', 'error'] as const)('%s', async (status) => {
    const w = setUp();
    w.crm.answer = () => (status === 'error' ? failed : notFound);
    expect((await w.refresh()).bitrix).toMatchObject({ status, company: null });
  });

  test('needs the right to read the customer, and asks for nothing else before', async () => {
    const w = setUp();
    await expect(w.refresh({ caller: portalCustomer })).rejects.toMatchObject({ code: 'not_an_agent' });
    await expect(w.refresh({ customer: 'nobody' })).rejects.toMatchObject({ code: 'customer_not_found' });
    w.desk.agentsMay('HD Customer', { read: false });
    await expect(w.refresh({ contact: 'Vy' })).rejects.toMatchObject({ code: 'customer_not_readable' });
    expect([w.asked, w.desk.reads]).toEqual([[], 0]);
  });
});

describe('the older panel’s profile', () => {
  test('gives what the helpdesk has, without asking the CRM', async () => {
    const w = setUp({ change: { custom_crm_company_id: '63001', custom_crm_sync_status: 'matched' } });
    const data = await w.legacy(false);
    expect(data.bitrix).toEqual({
      enabled: null,
      configured: null,
      status: 'matched',
      cached: true,
      company: { id: '63001', title: 'Shop', url: null },
      contact: null,
      responsible: null,
    });
    expect(data.ticket).toMatchObject({ name: ticket, customer: 'Shop', orgid: null });
    expect(w.asked).toEqual([]);
    // One that was never synced is local.
    expect((await setUp().legacy(false)).bitrix).toMatchObject({ status: 'local', company: null });
  });

  test.each([true, false])('the customer has the keys that the older panel reads (refresh %j)', async (refresh) => {
    const stored = {
      custom_myplatform: `${orgId}.platform.example`,
      custom_customer_segment: 'Medium',
      custom_shopplan_name: 'Grow 2024',
      custom_crm_company_id: '63001',
      custom_crm_company_url: 'https://crm.example/crm/company/details/63001/',
      custom_crm_sync_status: 'matched',
      custom_crm_last_synced_at: '2026-05-08 00:00:00',
    };
    expect((await setUp({ change: stored }).legacy(refresh)).customer).toMatchObject({
      ...stored,
      haravan_orgid: orgId,
      myharavan: stored.custom_myplatform,
      customer_segment: 'Medium',
      shopplan_name: 'Grow 2024',
      bitrix_company_id: '63001',
      bitrix_company_url: stored.custom_crm_company_url,
      bitrix_sync_status: 'matched',
      bitrix_last_synced_at: '2026-05-08 00:00:00',
    });
  });

  test.each([
    ['confirmed', 'hold', ['an@crm.example']],
    ['likely', 'hold', ['an@crm.example']],
    ['claimed', 'hold', []],
    ['claimed', 'accept', ['an@crm.example']],
  ] as const)('refreshed, the owner is recorded on the ticket of a %s match, claims %s: %j', async (...given) => {
    const [level, claims, recorded] = given;
    const w = setUp({ level, claims });
    expect(await w.legacy(true)).toMatchObject({ ticket: {}, bitrix: { status: 'matched' } });
    expect(await w.recorded()).toEqual(recorded);
  });
});

const never = new AbortController().signal;
const hour = 3_600_000;
const orgIdOf = (n: number) => String(1_000_000 + n) as OrgId;
const names = Array.from({ length: 24 }, (_, n) => `C${String(n).padStart(3, '0')}`);

/** A helpdesk with two dozen customers, and a CRM that knows their companies but for those that a test takes away. */
function world() {
  const { desk, asked, clock, layers, ...given } = enrichmentWorld();
  const w = {
    /** What the CRM does instead of finding the company. */
    crm: (_orgId: OrgId): 'not_found' | 'error' | null => null,
    /** What happens as an org id is looked up. */
    whileAsking: (_orgId: OrgId): void => {},
    /** When the CRM's companies were last changed. */
    modifiedAt,
    paused: [] as number[],
    said: [] as number[],
  };
  const known = { companyModifiedAt: modifiedAt, syncStatus: 'matched' } as const;
  for (const [n, name] of names.entries())
    desk.customers.set(name, { platformOrgId: orgIdOf(n), crmCompanyId: orgIdOf(n), ...known });
  given.crm.answer = (orgId) => {
    w.whileAsking(orgId);
    const status = w.crm(orgId);
    if (status === 'error') return failed;
    if (status === 'not_found') return notFound;
    return matched(sampleCompany({ modifiedAt: w.modifiedAt }, { bitrix_id: orgId, company_id: orgId }));
  };
  const ctx = { ...given.ctx, crm: layers, pause: async (ms: number) => void w.paused.push(ms) };
  /** Customers that were written. */
  const written = () => desk.writes.flatMap((write) => /^update (\S+)/.exec(write)?.[1] ?? []);
  const run = (signal = never) => refreshCustomers({ ...ctx, signal }, (done) => w.said.push(done));
  return Object.assign(w, { ctx, desk, asked, clock, written, run });
}

test('every customer with an org id is asked about, once, in the lowest lane, and what came of it is counted', async () => {
  const w = world();
  w.desk.customers.set('none');
  w.crm = (orgId) => (orgId === orgIdOf(7) ? 'not_found' : null);
  // It becomes another company's just then.
  w.whileAsking = (orgId) => {
    if (orgId === orgIdOf(3)) w.desk.customers.edit('C003', { platformOrgId: orgIdOf(99), crmCompanyId: '99' });
  };
  const counts = { updated: 0, unchanged: 22, notFound: 1, failed: { identity_conflict: 1 } };
  expect(await w.run()).toEqual({ ended: 'done', ...counts });
  expect(w.asked.map(({ orgId }) => orgId).toSorted()).toEqual(names.map((_, n) => orgIdOf(n)));
  expect(new Set(w.asked.map(({ lane }) => lane))).toEqual(new Set(['bulk']));
  expect(w.written().toSorted()).toEqual(names.filter((name) => name !== 'C003'));
  expect(w.said).toEqual([0, 12, 24]);
  w.whileAsking = () => {};
  w.modifiedAt += hour;
  expect(await w.run()).toMatchObject({ updated: 23 });
});

test('those come first that the CRM was asked about longest ago, so that after a stop the rest is first', async () => {
  const w = world();
  for (const [n, name] of names.entries())
    w.desk.customers.edit(name, { lastCheckedAt: w.clock() - (n < 4 ? 1 : 2) * hour });
  w.desk.customers.set('new', { platformOrgId: orgIdOf(50), crmCompanyId: orgIdOf(50) });
  const stop = new AbortController();
  w.whileAsking = () => void (w.asked.length === 24 && stop.abort());
  expect(await w.run(stop.signal)).toMatchObject({ ended: 'stopped', unchanged: 11, updated: 1 });
  expect(w.asked[0]?.orgId).toBe(orgIdOf(50));
  expect(w.written()).toHaveLength(12);
  w.whileAsking = () => {};
  w.asked.length = 0;
  w.clock.advance(hour);
  expect(await w.run()).toMatchObject({ ended: 'done', unchanged: 25 });
  const first = w.asked.slice(0, 5).map(({ orgId }) => orgId);
  expect(first.every((orgId) => orgId >= orgIdOf(4) && orgId < orgIdOf(24))).toBe(true);
  expect(w.asked.slice(-12).map(({ orgId }) => orgId)).toContain(orgIdOf(50));
});

test('it waits longer and longer for a CRM that fails, and ends; no customer says "error" for it', async () => {
  const w = world();
  w.crm = (orgId) => (orgId >= orgIdOf(12) ? 'error' : null);
  expect(await w.run()).toMatchObject({ ended: 'crm_failing', unchanged: 12, failed: {} });
  expect(w.paused).toEqual([2_000, 10_000]);
  expect(w.written()).toHaveLength(12);
});

test('a single customer that fails does not hold it up', async () => {
  const w = world();
  w.crm = (orgId) => (orgId === orgIdOf(5) ? 'error' : null);
  expect(await w.run()).toMatchObject({ ended: 'done', unchanged: 23, failed: { timeout: 1 } });
  expect(w.paused).toEqual([2_000]);
});
