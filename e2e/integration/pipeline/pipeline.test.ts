import { createHmac } from 'node:crypto';
import { callProxy } from '@deskside/shared/client';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { type WorldOptions, webhookSecret } from '../../demo/world.ts';
import { decisionsOf, profileOf } from '../kit.ts';
import { openTodos, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const medium = { orgId: '200000376001', name: 'Gốm Sứ Làng Mơ', slug: 'gomlangmo' };
const grow = '1000391001';
const portal = demo.portal.name;

/** Shops' own addresses, as they would answer. */
const askMeta: WorldOptions['askMeta'] = async (host) => {
  const address = `https://${host}/meta.json`;
  if (host !== `${medium.slug}.example`) return { kind: 'none', address, why: 'not_found' };
  return { kind: 'found', address, orgId: medium.orgId, domains: [], name: medium.name };
};

// What the helpdesk's generation has no part in.
test('two hundred signed duplicates and reorderings of one event have one effect', async () => {
  const w = await routedWorld();
  const name = await w.helpdesk.insertTicket(portal, { subject: 'x', custom_orgid: medium.orgId }, { portal: true });
  const post = (n: number) => {
    const creation = w.helpdesk.document('HD Ticket', name)?.creation;
    const body = JSON.stringify({ event: 'after_insert', name, creation, modified: `2026-11-21 05:03:45.${n % 4}` });
    const signature = createHmac('sha256', webhookSecret).update(body).digest('base64');
    return fetch(`${w.proxyUrl}/webhooks/helpdesk/ticket/after-insert`, {
      method: 'POST',
      body,
      headers: { 'x-frappe-webhook-signature': signature },
    });
  };
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => post(n)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  await settle(w);
  expect(openTodos(w, name)).toHaveLength(1);
  expect(await decisionsOf(w, name)).toHaveLength(1);
  const writes = w.helpdesk.journal.filter(({ method, path: at }) => method === 'PUT' && at.includes('HD Ticket'));
  expect(writes.length).toBeLessThanOrEqual(2);
});

describe.each(['1.24', '1.25', '1.28'] as const)('Helpdesk %s', (generation) => {
  test('a new ticket finds its company, customer, team and agent, and everybody can see why', async () => {
    const w = await routedWorld({ generation });
    const values = { subject: 'Không in được đơn', description: '<p>x</p>', custom_orgid: medium.orgId };
    const name = await w.helpdesk.insertTicket(portal, values, { portal: true });
    await settle(w);
    const ticket = ticketOf(w, name);
    expect(ticket).toMatchObject({
      group: 'Medium - Scale',
      customer: `${medium.name} - ${medium.orgId}`,
      status: 'Complete',
      reason:
        'Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=hd_customer. Target team=Medium - Scale.',
    });
    expect(ticket.assigned).toHaveLength(1);
    const [decision, ...earlier] = await decisionsOf(w, name);
    expect(earlier).toEqual([]);
    expect(decision).toMatchObject({
      cause: 'webhook',
      state: 'applied',
      inputs: { org_id: { value: medium.orgId, trust: { level: 'confirmed' } }, crm: { status: expect.any(String) } },
      assignment: { state: 'assigned', agent: ticket.assigned[0] },
    });
    const refused = await callProxy(
      'routingDecisions',
      { ticket: name },
      { baseUrl: w.proxyUrl, authorization: keyOf(demo.portal) },
    );
    expect(refused).toMatchObject({ ok: false, error: { status: 403, code: 'not_an_agent' } });
    expect((await profileOf(w, name)).ticket.agent_group).toBe('Medium - Scale');
  });

  test('an e-mail says its org id in its text, a portal ticket by its store address', async () => {
    const w = await routedWorld({ generation, askMeta });
    const mail = await w.helpdesk.receiveMail({
      from: 'ai.do@hopthu.example',
      subject: 'Giúp mình với',
      text: `<p>Chào shop, Org ID: ${grow}, điện thoại 0900000003</p>`,
    });
    const typed = await w.helpdesk.insertTicket(demo.service.name, {
      subject: 'x',
      raised_by: 'khach.la@hopthu.example',
      custom_store_url: `http://www.google.com https://${medium.slug}.example/gio-hang`,
    });
    await settle(w);
    expect(ticketOf(w, mail)).toMatchObject({ group: 'Medium - Grow', orgId: grow });
    expect(ticketOf(w, typed)).toMatchObject({ orgId: medium.orgId });
    const [decision] = await decisionsOf(w, typed);
    expect(decision?.inputs).toMatchObject({
      org_id: { source: 'meta_json', trust: { level: 'claimed' } },
      findings: [{ kind: 'org_id', field: 'custom_store_url', address: `https://${medium.slug}.example/meta.json` }],
    });
  });

  test('a ticket of which no webhook told is found by the sweep', async () => {
    const w = await routedWorld({ generation });
    await w.pipeline.sweep();
    const webhook = w.helpdesk.document('Webhook', 'Deskside: new ticket');
    w.helpdesk.put('Webhook', { ...webhook, name: 'Deskside: new ticket', enabled: 0 });
    const name = await w.helpdesk.insertTicket(portal, { subject: 'x', custom_orgid: medium.orgId }, { portal: true });
    expect(await w.pipeline.sweep()).toBe(1);
    await settle(w);
    expect(ticketOf(w, name).group).toBe('Medium - Scale');
    expect((await decisionsOf(w, name))[0]?.cause).toBe('sweep');
  });
});
