import { demo, shops } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import { decisionsOf } from '../kit.ts';
import { nativeRules, openTodos, routedWorld, settle, teamOf, ticketOf } from '../pipeline-kit.ts';

const minute = 60_000;
/** The specification's rules: who claims a company is its customer. */
const rules = new URL('../rules/accept.json', import.meta.url).pathname;
const count = sized({ small: 30, full: 300 });

test('a CRM that is down for ten minutes: every ticket is saved at once, and right within five of its recovery', async () => {
  let ahead = 0;
  const w = await routedWorld({
    clock: () => Date.now() + ahead,
    environment: { CRM_PLAN: 'enterprise', RULES_FILE: rules },
  });
  nativeRules(w, true);
  // Nothing of the CRM is known to the helpdesk yet.
  for (const shop of shops) {
    const name = `${shop.name} - ${shop.orgId}`;
    const customer = w.helpdesk.document('HD Customer', name);
    if (customer)
      w.helpdesk.put('HD Customer', { ...customer, custom_customer_segment: null, custom_shopplan_name: null });
  }
  w.crm.fault = 'server_error';
  const inserted: { name: string; shop: (typeof shops)[number] }[] = [];
  for (let n = 0; n < count; n += 1) {
    const shop = shops[n % shops.length] as (typeof shops)[number];
    const values = { subject: `Outage ${n}`, raised_by: 'khach.la@hopthu.example', custom_orgid: shop.orgId };
    inserted.push({ name: await w.helpdesk.insertTicket(demo.service.name, values), shop });
    if ((n + 1) % (count / 3) === 0) {
      await settle(w);
      ahead += (10 / 3) * minute;
    }
  }
  await settle(w);
  for (const { name } of inserted) expect(ticketOf(w, name)).toMatchObject({ group: 'CS 60p', status: 'API Error' });

  // Agents deal with every tenth ticket, each in a different way.
  const touched = inserted.filter((_, n) => n % 10 === 0);
  const put = (name: string, change: object) =>
    w.helpdesk.put('HD Ticket', { ...w.helpdesk.document('HD Ticket', name), name, ...change });
  for (const [n, { name }] of touched.entries()) {
    if (n % 3 === 0) put(name, { status: 'Replied', last_agent_response: '2026-11-21 05:03:45.000000' });
    else if (n % 3 === 1) put(name, { agent_group: 'Service Ecom' });
    else {
      for (const todo of openTodos(w, name)) {
        w.helpdesk.put('ToDo', { ...w.helpdesk.document('ToDo', todo.name), name: todo.name, status: 'Cancelled' });
      }
      put(name, { _assign: '[]' });
    }
  }
  const before = new Map(touched.map(({ name }) => [name, ticketOf(w, name)]));

  w.crm.fault = null;
  for (let seconds = 0; seconds < 300; seconds += 30) {
    ahead += 30_000;
    await settle(w);
  }
  let right = 0;
  for (const { name, shop } of inserted) {
    const ticket = ticketOf(w, name);
    const known = before.get(name);
    if (known !== undefined) {
      expect(ticket).toEqual(known);
      continue;
    }
    expect([name, ticket.group, ticket.status]).toEqual([name, teamOf(shop.orgId), 'Complete']);
    expect(ticket.assigned).toHaveLength(1);
    const [repaired, first] = await decisionsOf(w, name);
    expect(repaired).toMatchObject({ cause: 'repair' });
    expect(first?.outcome.fallback).toBe('crm');
    right += 1;
  }
  expect([right, before.size]).toEqual([count * 0.9, count * 0.1]);
}, 600_000);
