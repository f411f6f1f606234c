import { demo, keyOf } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { call, keepSnapshots, world, writesOf } from '../kit.ts';

const { tickets } = demo;
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
    const [snapshot, ...more] = w.helpdesk.documents('HD Customer Data');
    expect(more).toEqual([]);
    expect(snapshot).toMatchObject({
      source: 'crm',
      entity_type: 'company',
      external_id: '63032',
      match_key: 'platform_orgid:UF_CRM_PLATFORM_ORG_ID',
      confidence: 95,
      hd_customer: freshName,
    });
    expect(JSON.parse(String(snapshot?.summary_json)).ID).toBe('63032');
  });

  test('a snapshot holds none of the secrets that the CRM has put into its record, however they are spelt', async () => {
    const w = await world({ generation });
    keepSnapshots(w);
    const secret = 'c4n4rys3cr3tk3y';
    const webhook = `${w.crm.url}/rest/7/${secret}/`;
    const spelt = [
      webhook,
      encodeURIComponent(webhook),
      webhook.replaceAll('/', '\\/'),
      `?auth=${secret}`,
      `&access_token=${secret}`,
    ];
    const file = { id: '9001', showUrl: webhook, PREVIEW: [{ downloadUrl: `/download/?id=${secret}` }] };
    w.crm.putCompany({
      ...w.crm.company('63032'),
      ID: '63032',
      COMMENTS: spelt.join(' '),
      UF_CRM_NOTES: spelt,
      LOGO: file,
    });
    await call(w, 'enrichCompany', { orgid: fresh }, keyOf(demo.manager));
    const [snapshot] = w.helpdesk.documents('HD Customer Data');
    const text = String(snapshot?.summary_json);
    expect(JSON.parse(text)).toMatchObject({ ID: '63032', COMMENTS: null, LOGO: { id: '9001', PREVIEW: [{}] } });
    for (const canary of [secret, ...w.crm.secrets]) expect(text).not.toContain(canary);
  });

  test('cached: the CRM is not asked, nothing is written, and a ticket that is not linked yet is', async () => {
    const w = await world({ generation });
    const manager = keyOf(demo.manager);
    await call(w, 'enrichCompany', { orgid: fresh }, manager);
    const made = w.helpdesk.document('HD Customer', freshName);
    w.helpdesk.put('HD Customer', { ...made, name: freshName, custom_shopplan_name: '' });
    w.crm.clearJournal();
    w.helpdesk.clearJournal();
    const again = await call(w, 'enrichCompany', { orgid: fresh }, manager);
    expect(again).toMatchObject({ status: 'cached', outcome: 'matched', hd_customer: freshName, changes: [] });
    expect([w.crm.journal, writesOf(w)]).toEqual([[], []]);
    const linking = await call(w, 'enrichCompany', { orgid: fresh, hd_ticket: tickets.onlyTicketOrgId });
    expect(linking).toMatchObject({ status: 'cached', ticket: { linked: true } });
    // The link, and the time of the check.
    const put = `PUT HD Ticket ${tickets.onlyTicketOrgId}`;
    expect(writesOf(w)).toEqual([put, put]);
  });
});
