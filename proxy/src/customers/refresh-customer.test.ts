import { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { ClaimsMode } from '@deskside/shared/routing';
import type { TrustLevel } from '@deskside/shared/status';
import { describe, expect, test } from 'vitest';
import { getLegacyProfile } from '#profile/get-profile.ts';
import { createBackground } from '#runtime/jobs.ts';
import { sender } from '#testing/desk-seed.ts';
import { agent, enrichmentWorld, orgId, portalCustomer, ticket } from '#testing/enrichment-kit.ts';
import { failed } from '#testing/fakes.ts';
import { silent } from '#testing/quiet.ts';
import { matched, notFound, sampleCompany } from '#testing/sample-companies.ts';
import { refreshCustomer } from './refresh.ts';

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
  const w = enrichmentWorld({ made, crmEnabled, configured, claims });
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
    const asked = { orgId, by: 'platform_orgid_then_company_id', lane: 'click' };
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
