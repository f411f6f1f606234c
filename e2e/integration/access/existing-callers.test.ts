import { demo, keyOf } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import type { DemoWorld } from '../../demo/world.ts';
import { decisionsOf } from '../kit.ts';
import { isMember, nativeRules, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

// The calls of the scripts that the specification describes, as those who know only them make them: with a key, with a
// form or JSON, by the names of that time (docs/specification.md). Everything is accepted that a sender claims.

const { tickets } = demo;
const profile = '/api/method/platform_crm_customer_profile';
const legacy = '/api/method/login_with_platform.customer_profile.get_ticket_customer_profile';
const refresh = '/api/method/login_with_platform.customer_profile.refresh_customer_profile';
const metajson = '/api/method/platform_crm_metajson_company_enrichment';
const sync = '/api/method/platform_crm_sync_ticket_customer';
const intake = '/api/method/platform_ticket_store_url_enrich';

/** A company that the helpdesk has no customer for, and one that nobody has. */
const fresh = { orgId: '1000700232', crmId: '63032', customer: 'Đèn Lồng Phố Hội - 1000700232' };
const nobodys = '1888888888';
const stranger = 'khach@hopthu.example';
const known = { orgId: '200000376001', customer: 'Gốm Sứ Làng Mơ - 200000376001' };
const RULES_FILE = new URL('../rules/accept.json', import.meta.url).pathname;

interface Answer {
  http: number;
  success: boolean;
  data: Record<string, unknown>;
  message: string;
}

const generations = ['1.24', '1.28'] as const;
const worldOf = async (
  generation: (typeof generations)[number],
  environment: Record<string, string | undefined> = {},
) => {
  const w = await routedWorld({ generation, environment: { RULES_FILE, ...environment } });
  nativeRules(w, false);
  return w;
};

/** What an integration sends: nothing that only our own clients know. */
async function send({ proxyUrl }: Pick<DemoWorld, 'proxyUrl'>, path: string, init: RequestInit = {}): Promise<Answer> {
  // By an org id alone it takes the right to write HD Customer, which the agents of 1.28 lack.
  const authorization = keyOf(path === metajson ? demo.manager : demo.agent);
  const response = await fetch(`${proxyUrl}${path}`, { ...init, headers: { authorization, ...init.headers } });
  return { http: response.status, ...((await response.json()) as Omit<Answer, 'http'>) };
}
const get = (w: DemoWorld, path: string, query: Record<string, string>) =>
  send(w, `${path}?${new URLSearchParams(query)}`);
const form = (w: Pick<DemoWorld, 'proxyUrl'>, path: string, fields: Record<string, string>) =>
  send(w, path, { method: 'POST', body: new URLSearchParams(fields) });
const json = (w: Pick<DemoWorld, 'proxyUrl'>, path: string, body: object) =>
  send(w, path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

/** Where the site's fields say when and what. */
function times(w: DemoWorld, ticket: string) {
  const document = w.helpdesk.document('HD Ticket', ticket) ?? {};
  const {
    custom_crm_last_checked_at: checked,
    custom_crm_not_found_at: notFound,
    custom_platform_profile_checked_at: at,
  } = document as Record<string, unknown>;
  return { checked: Boolean(checked), notFound: Boolean(notFound), at: Boolean(at) };
}

describe.each(generations)('on Helpdesk %s', (generation) => {
  test('the profile, by GET and as the helpdesk’s own pages post it', async () => {
    const w = await worldOf(generation);
    const ticket = tickets.matched;
    const asked = [
      await get(w, profile, { ticket, refresh: '1' }),
      await get(w, profile, { ticket }),
      await form(w, profile, { ticket, refresh: '0' }),
      await json(w, profile, { ticket: Number(ticket), refresh: false }),
    ];
    for (const [at, answer] of asked.entries()) {
      const status = at === 0 ? 'matched' : 'cached';
      expect(answer).toMatchObject({ http: 200, success: true, message: 'Customer profile loaded.' });
      expect(answer.data).toMatchObject({
        customer: { name: known.customer, custom_platform_orgid: known.orgId },
        contact: { name: expect.any(String) },
        haravan: expect.any(Array),
        bitrix: {
          ...{ enabled: true, configured: true, status, cached: status === 'cached' },
          ...{ lookup_candidates: [known.orgId], lookup_value: known.orgId },
          company: { bitrix_id: '63002', company_id: known.orgId, company_name: 'Gốm Sứ Làng Mơ' },
          responsible: { id: '341', active: true, email: expect.any(String), status: 'active' },
        },
      });
    }
    // What was posted is given to nobody who names no ticket.
    expect((await send(w, profile)).http).toBe(400);
    expect(await get(w, profile, { ticket: tickets.missingOrgId })).toMatchObject({
      success: true,
      data: { bitrix: { status: 'missing_orgid', lookup_candidates: [], company: null } },
    });
  });

  test('the older panel’s profile and its refresh', async () => {
    const w = await worldOf(generation);
    const stored = { ticket: tickets.matched };
    for (const answer of [await get(w, legacy, stored), await form(w, legacy, stored), await json(w, legacy, stored)])
      expect(answer).toMatchObject({
        ...{ http: 200, success: true, message: 'Customer profile loaded.' },
        data: {
          ticket: { name: tickets.matched, orgid: known.orgId },
          customer: { name: known.customer, haravan_orgid: known.orgId },
          bitrix: { enabled: null, configured: null, responsible: null, cached: true },
        },
      });
    expect(await get(w, legacy, { ticket: tickets.onlyTicketOrgId })).toMatchObject({
      ...{ success: true, message: 'Ticket has no linked HD Customer.' },
      data: { customer: null, haravan: [], bitrix: { enabled: false, configured: false, status: 'idle' } },
    });
    const asked = { ticket: {}, customer: { name: known.customer }, bitrix: { enabled: true, status: 'matched' } };
    expect(await get(w, legacy, { ...stored, refresh: '1' })).toMatchObject({ success: true, data: asked });
    for (const answer of [
      await form(w, refresh, { hd_customer: known.customer, contact: '' }),
      await json(w, refresh, { hd_customer: known.customer }),
    ])
      expect(answer).toMatchObject({ http: 200, success: true, data: { ...asked, haravan: expect.any(Array) } });
    expect((await form(w, refresh, { hd_customer: 'Nobody' })).http).toBe(404);
  });

  test('enrichment by org id: every outcome is a status under 200, under each of its names', async () => {
    const w = await worldOf(generation);
    expect(await form(w, metajson, {})).toEqual({
      ...{ http: 200, success: true, data: { status: 'missing_orgid' }, message: 'No orgid supplied.' },
    });
    expect(await json(w, metajson, { orgid: Number(fresh.orgId) })).toMatchObject({
      ...{ http: 200, success: true },
      data: {
        ...{ status: 'matched', hd_customer: fresh.customer },
        company: {
          id: fresh.crmId,
          title: expect.stringContaining('Đèn Lồng Phố Hội'),
          date_modify: expect.any(String),
        },
      },
    });
    for (const name of ['orgid', 'org_id', 'haravan_orgid'])
      expect(await form(w, metajson, { [name]: fresh.orgId })).toMatchObject({
        ...{ success: true, data: { status: 'cached', hd_customer: fresh.customer } },
      });
    for (const force of ['1', 'true', 'yes', 'on'])
      expect((await form(w, metajson, { orgid: fresh.orgId, force })).data.status).toBe('matched');
    expect(await form(w, metajson, { orgid: nobodys })).toMatchObject({
      ...{ http: 200, success: true, data: { status: 'not_found', hd_customer: null } },
    });
    expect((await form(w, metajson, { orgid: fresh.orgId, hd_customer: 'Nobody' })).http).toBe(404);
    w.crm.fault = 'server_error';
    expect(await form(w, metajson, { orgid: fresh.orgId, force: '1' })).toMatchObject({
      ...{ http: 200, success: false, data: { status: 'error' } },
    });
  });

  test('enrichment for a ticket, under each of its names, links it, though only its sender says so', async () => {
    for (const name of ['ticket', 'ticket_name', 'hd_ticket']) {
      const w = await worldOf(generation);
      const ticket = tickets.claimed;
      const answer = await form(w, metajson, { orgid: fresh.orgId, [name]: ticket, force: '1' });
      expect(answer.data).toMatchObject({
        ...{ status: 'matched', hd_customer: fresh.customer },
        ticket: { name: ticket, linked: true, previous_customer: null },
      });
      expect(ticketOf(w, ticket).customer).toBe(fresh.customer);
      expect(times(w, ticket)).toMatchObject({ checked: true, notFound: false });
    }
    const w = await worldOf(generation);
    await form(w, metajson, { orgid: nobodys, ticket: tickets.claimed });
    expect(times(w, tickets.claimed)).toMatchObject({ checked: true, notFound: true });
    w.crm.fault = 'server_error';
    await form(w, metajson, { orgid: fresh.orgId, ticket: tickets.claimed, force: '1' });
    expect(w.helpdesk.document('HD Ticket', tickets.claimed)).toMatchObject({
      ...{
        custom_platform_profile_status: 'API Error',
        custom_platform_profile_error: expect.stringMatching(/^CRM error: /),
      },
    });
  });

  test('the popup’s Sync, with the company on screen or without an org id at all', async () => {
    const w = await worldOf(generation);
    const ticket = tickets.onlyTicketOrgId;
    // The platform's field alone names it: what is passed is the org id that was looked up.
    w.crm.putCompany({ ...w.crm.company(fresh.crmId), ID: fresh.crmId, UF_CRM_COMPANY_ID: '' });
    const { data } = await get(w, profile, { ticket });
    expect(data.bitrix).toMatchObject({ company: { company_id: fresh.orgId, bitrix_id: fresh.crmId } });
    for (const name of ['company_id', 'orgid', 'org_id'])
      expect(await form(w, sync, { ticket, [name]: fresh.orgId })).toMatchObject({
        ...{ http: 200, success: true, message: expect.any(String), data: { ticket: { customer: fresh.customer } } },
      });
    expect(await form(w, sync, { ticket: tickets.missingOrgId })).toMatchObject({
      ...{ http: 200, success: false, message: 'Ticket has no Company ID.', data: { status: 'missing_orgid' } },
    });
    expect((await form(w, sync, { ticket: tickets.missingOrgId, company_id: fresh.orgId })).data).toMatchObject({
      ticket: { customer: fresh.customer },
    });
  });

  test('intake for a ticket reads its store address', async () => {
    const w = await worldOf(generation);
    const store_url = `https://${fresh.orgId}.myplatform.example/admin`;
    const answer = await form(w, intake, { ticket: tickets.missingOrgId, store_url });
    expect(answer).toMatchObject({ http: 200, success: true, data: { status: 'found' } });
    expect(ticketOf(w, tickets.missingOrgId).orgId).toBe(fresh.orgId);
  });

  test('a new ticket: the sender’s org id links, enriches and routes it, and nobody is shown as confirmed by that', async () => {
    const w = await worldOf(generation);
    const insert = (values: object) =>
      w.helpdesk.insertTicket(stranger, { subject: 'Hỏi', description: '<p>x</p>', ...values }, { portal: true });
    const first = await insert({ custom_orgid: '1000700229', custom_responsible: 'ke.gia.mao@hopthu.example' });
    const unknown = await insert({ custom_orgid: nobodys, custom_customer_segment: 'Medium' });
    await settle(w);
    const customer = 'Lều Trại Rừng Thông - 1000700229';
    expect(ticketOf(w, first)).toMatchObject({ customer, group: 'Medium - Grow', status: 'Complete' });
    expect(w.helpdesk.document('HD Ticket', first)).toMatchObject({
      ...{
        custom_customer_segment: 'Medium',
        custom_platform_service_plan: 'Grow 2024',
        custom_shopplan: 'Medium Grow',
      },
    });
    expect(w.helpdesk.document('HD Ticket', first)?.custom_responsible || null).toBeNull();
    expect(times(w, first)).toEqual({ checked: true, notFound: false, at: true });
    expect(ticketOf(w, unknown)).toMatchObject({ customer: null, group: 'CS 60p' });
    expect(ticketOf(w, unknown).reason).toMatch(/Source=ticket\..* CRM has no company for this OrgID\.$/);
    expect(times(w, unknown)).toEqual({ checked: true, notFound: true, at: true });

    const { data } = await get(w, profile, { ticket: first });
    expect(data.bitrix).toMatchObject({ status: 'cached', lookup_trust: { level: 'claimed' } });
    await w.idle();
    expect(w.helpdesk.document('HD Ticket', first)?.custom_responsible).toMatch(/@/);

    // What a claim has made vouches for nobody: not on the sender's next ticket, though the desk has made them a member.
    const made = await insert({ custom_orgid: fresh.orgId });
    await settle(w);
    expect(ticketOf(w, made).customer).toBe(fresh.customer);
    isMember(w, { address: stranger, customer: fresh.customer });
    const again = await insert({ custom_orgid: fresh.orgId });
    await settle(w);
    expect((await decisionsOf(w, again))[0]?.inputs.org_id?.trust).toMatchObject({
      level: 'claimed',
      evidence: [{}, { code: 'sender_not_of_company', value: stranger }],
    });
  });
});

test('switched off, and without a webhook', async () => {
  const w = await worldOf('1.28');
  const off = { proxyUrl: await w.startAnotherProxy({ RULES_FILE, CRM_ENABLED: 'false' }) };
  const unset = { CRM_WEBHOOK_URL: undefined, CRM_RESPONSIBLE_WEBHOOK_URL: undefined };
  const bare = { proxyUrl: await w.startAnotherProxy({ RULES_FILE, ...unset }) };
  for (const [proxy, status, message] of [
    [off, 'disabled', 'CRM enrichment is disabled.'],
    [bare, 'missing_config', 'CRM webhook is not configured.'],
  ] as const) {
    expect(await form(proxy, metajson, { orgid: fresh.orgId })).toEqual({
      ...{ http: 200, success: true, data: { status }, message },
    });
    const bitrix = { enabled: proxy !== off, configured: proxy !== bare, status, company: null };
    expect((await form(proxy, profile, { ticket: tickets.matched })).data).toMatchObject({ bitrix });
  }
});
