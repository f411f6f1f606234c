import { everySurface, testApp } from '@deskside/proxy/testing/test-app';
import { contract } from '@deskside/shared/contract';
import { errorStatuses } from '@deskside/shared/status';
import { demo, keyOf, sharedSeed } from '@deskside/simulators/seed/index';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemoWorld } from '../../demo/world.ts';
import { openWorld } from '../kit.ts';

const ticket = demo.tickets.restrictedTeam;
const orgId = '200000376001';

/** Every kind of caller there is, with what stands in his Authorization header. */
const callers = {
  nobody: '',
  malformed: 'Basic YTpi',
  unknown: 'Bearer nobody',
  revoked: keyOf(demo.agent).replace('agent-an:agent-an', 'agent-minh:agent-minh'),
  portal: keyOf(demo.portal),
  'System Manager': keyOf(demo.sysonly),
  Administrator: keyOf(demo.administrator),
  'agent without the ticket': keyOf(demo.otherAgent),
  agent: keyOf(demo.agent),
  manager: keyOf(demo.manager),
  service: keyOf(demo.service),
};
type Caller = keyof typeof callers;
/** HTTP 200, or the code of the error. */
type Outcome = 'ok' | keyof typeof errorStatuses;

const strangers = {
  nobody: 'unauthenticated',
  malformed: 'unauthenticated',
  unknown: 'unauthenticated',
  revoked: 'unauthenticated',
} as const;
const noAgents = { portal: 'not_an_agent', 'System Manager': 'not_an_agent', Administrator: 'not_an_agent' } as const;
const everybody = (outcome: Outcome) =>
  Object.fromEntries(Object.keys(callers).map((caller) => [caller, outcome])) as Record<Caller, Outcome>;
const agents = { ...everybody('ok'), ...strangers, ...noAgents };
const withTicket = { ...agents, 'agent without the ticket': 'ticket_not_readable' } as const;
const managers = { ...agents, agent: 'not_a_manager', 'agent without the ticket': 'not_a_manager' } as const;
const now = Date.now();
const json = { 'content-type': 'application/json' };

/** Each route with a request that an agent may make, and what becomes of it for whom. */
const rows: Record<string, { query?: object; body?: object; expected: Record<Caller, Outcome> }> = {
  [contract.customerProfile.path]: { query: { ticket }, expected: withTicket },
  [contract.legacyProfile.path]: { query: { ticket }, expected: withTicket },
  [contract.routingDecisions.path]: { query: { ticket }, expected: withTicket },
  [contract.routingToday.path]: { query: { from: now - 3_600_000, to: now }, expected: managers },
  [contract.findCompanies.path]: { body: { ticket, query: orgId }, expected: withTicket },
  [contract.refreshCustomer.path]: { body: { hd_customer: `Gốm Sứ Làng Mơ - ${orgId}` }, expected: agents },
  // Whoever of the desk may write the ticket, an integration as well.
  [contract.enrichCompany.path]: {
    body: { orgid: orgId, ticket },
    expected: { ...withTicket, 'System Manager': 'ticket_not_writable', Administrator: 'ok' },
  },
  [contract.syncTicketCustomer.path]: { body: { ticket, action: 'preview' }, expected: withTicket },
  [contract.rejectCompany.path]: {
    // The ticket has another customer by now, so that nothing is taken back.
    body: { ticket, company_id: orgId, bitrix_id: '1', expected_customer: 'Somebody else', reason: 'other_company' },
    expected: { ...withTicket, agent: 'changed_since', manager: 'changed_since', service: 'changed_since' },
  },
  [contract.aroundTicket.path]: { query: { ticket }, expected: withTicket },
  [contract.storeUrlEnrich.path]: { body: { ticket }, expected: withTicket },
  [contract.missingAnchor.path]: { body: { anchor: 'ticket_header', extension: '0.1.0' }, expected: agents },
  [contract.whoami.path]: { expected: { ...everybody('ok'), ...strangers } },
  [contract.discovery.path]: { expected: everybody('ok') },
  '/livez': { expected: everybody('ok') },
  '/readyz': { expected: everybody('ok') },
  '/openapi.json': { expected: everybody('ok') },
  // A credential of the helpdesk is not its token.
  '/metrics': { expected: everybody('unauthenticated') },
  // A credential of the helpdesk is no signature, whoever's it is.
  '/webhooks/helpdesk/ticket/after-insert': { body: { name: ticket }, expected: everybody('unauthenticated') },
  '/webhooks/helpdesk/ticket/before-insert': {
    body: { key: 'f406078a-e7ad-40ae' },
    expected: everybody('unauthenticated'),
  },
  '/webhooks/crm/company': { body: { event: 'ONCRMCOMPANYUPDATE' }, expected: everybody('unauthenticated') },
};

let world: DemoWorld;
beforeAll(async () => {
  const secrets = ['HELPDESK_WEBHOOK_SECRET', 'HELPDESK_SCRIPT_SECRET', 'CRM_EVENT_TOKEN', 'METRICS_TOKEN'];
  const environment = Object.fromEntries(secrets.map((name) => [name, 'a-secret-that-nobody-has']));
  const opened = await openWorld({ environment });
  world = opened.world;
  return opened.close;
});

async function ask(route: string, caller: Caller): Promise<{ status: number; outcome: string; text: string }> {
  const { query = {}, body } = rows[route] ?? {};
  world.helpdesk.settings.restrictTicketsByAgentGroup = caller === 'agent without the ticket';
  const authorization = callers[caller];
  const response = await fetch(`${world.proxyUrl}${route}?${new URLSearchParams({ ...query })}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...(authorization && { authorization }), ...(body && json) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, outcome: response.ok ? 'ok' : JSON.parse(text).data.code, text };
}

test('every route has a row, and every row a route', () => {
  const app = testApp(everySurface);
  const served = new Set(app.routes.map((route) => route.path).filter((route) => route !== '/*'));
  expect(Object.keys(rows).sort()).toEqual([...served].sort());
});

describe.each(Object.keys(rows))('%s', (route) => {
  test.each(Object.keys(callers) as Caller[])('%s', async (caller) => {
    // What the answer before has to write is written after it.
    await world.idle();
    world.helpdesk.clearJournal();
    world.crm.clearJournal();
    const expected = rows[route]?.expected[caller] ?? 'ok';
    const { status, outcome, text } = await ask(route, caller);
    expect(outcome).toBe(expected);
    if (expected === 'ok') return;
    expect(status).toBe(route.startsWith('/webhooks') ? 403 : errorStatuses[expected]);
    // Who is refused has written nothing, had nothing looked up, and learns nothing but that.
    expect(world.helpdesk.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
    if (expected !== 'changed_since') expect(world.crm.journal).toEqual([]);
    expect(Object.keys(JSON.parse(text).data).sort()).toEqual(['code', 'request_id']);
    expect(text).not.toContain(orgId);
  });
});

test('the seed knows whose credential was revoked', () => {
  const { users } = sharedSeed().helpdesk;
  expect(users.find((user) => keyOf(user) === callers.revoked)?.enabled).toBe(false);
});
