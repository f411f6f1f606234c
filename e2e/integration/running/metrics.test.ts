import { demo, keyOf } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { call, profileOf } from '../kit.ts';
import { routedWorld, settle } from '../pipeline-kit.ts';

const token = 'metrics-token-of-this-test';
const environment = { METRICS_TOKEN: token };

const scrape = (at: string, authorization?: string) =>
  fetch(`${at}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

/** The value of a metric whose name and labels contain all of these; undefined if there is none. */
function valueIn(text: string, ...parts: string[]): number | undefined {
  const line = text.split('\n').find((one) => !one.startsWith('#') && parts.every((part) => one.includes(part)));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

test('a scrape says what was asked, looked up, decided and left, and names nobody', async () => {
  const world = await routedWorld({ environment });
  // From the CRM, the store, memory.
  for (const who of [demo.agent, demo.manager, demo.admin]) {
    await call(world, 'customerProfile', { ticket: demo.tickets.matched }, keyOf(who));
  }
  await world.helpdesk.insertTicket(demo.portal.name, { subject: 'x', custom_orgid: '200000376001' }, { portal: true });
  await settle(world);
  await fetch(`${world.proxyUrl}/api/200000376001?who=an@desk.example`);

  const response = await scrape(world.proxyUrl, `Bearer ${token}`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const text = await response.text();
  const route = 'route="/api/method/platform_crm_customer_profile"';
  expect(valueIn(text, 'deskside_http_request_duration_seconds_count', route, 'outcome="ok"')).toBe(3);
  expect(valueIn(text, 'deskside_http_request_duration_seconds_bucket', 'le="0.025"', route)).toBeTypeOf('number');
  expect(valueIn(text, 'deskside_http_errors_total', 'code="route_not_found"')).toBe(1);
  expect(valueIn(text, 'deskside_lookups_total', 'layer="crm"', 'result="hit"')).toBeGreaterThanOrEqual(1);
  expect(valueIn(text, 'deskside_lookups_total', 'layer="store"', 'result="hit"')).toBeGreaterThanOrEqual(1);
  expect(valueIn(text, 'deskside_lookups_total', 'layer="memory"', 'result="hit"')).toBeGreaterThanOrEqual(1);
  expect(valueIn(text, 'deskside_company_answers_total', 'status="cached"', 'stale="false"')).toBeGreaterThanOrEqual(1);
  expect(valueIn(text, 'deskside_crm_request_duration_seconds_count', 'outcome="ok"')).toBeGreaterThanOrEqual(1);
  expect(valueIn(text, 'deskside_crm_budget_left', 'lane="click"')).toBeGreaterThanOrEqual(1);
  expect(valueIn(text, 'deskside_routing_decisions_total', 'fallback="none"', 'cause="webhook"')).toBe(1);
  expect(valueIn(text, 'deskside_ticket_duration_seconds_count', 'until="decision"')).toBe(1);
  expect(valueIn(text, 'deskside_ticket_duration_seconds_count', 'until="agent"')).toBe(1);
  expect(valueIn(text, 'deskside_backup_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(valueIn(text, 'deskside_certificate_days')).toBeUndefined();
  expect(valueIn(text, 'deskside_fault_active', 'fault="crm_unauthorized"')).toBe(0);
  expect(valueIn(text, 'deskside_inbox_oldest_seconds')).toBe(0);
  expect(valueIn(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(valueIn(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  // Neither an org id nor an address nor a ticket, and no path that somebody made up.
  expect(text).not.toMatch(/200000376001|@|61307/);
});

test('a webhook that the CRM refuses, a team that is missing and an event without our signature are seen, and an end', async () => {
  let ahead = 0;
  const world = await routedWorld({
    clock: () => Date.now() + ahead,
    environment: { ...environment, RULES_FILE: new URL('../rules/later-team.json', import.meta.url).pathname },
  });
  const read = async () => (await scrape(world.proxyUrl, `Bearer ${token}`)).text();
  const active = async () =>
    [...(await read()).matchAll(/^deskside_fault_active\{fault="(\w+)"\} 1$/gm)].map(([, fault]) => fault);
  await world.helpdesk.insertTicket(demo.service.name, { subject: 'x', raised_by: 'la@hopthu.example' });
  await settle(world);
  world.crm.fault = 'unauthorized';
  await profileOf(world, demo.tickets.matched, { refresh: 1 });
  const event = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  expect((await fetch(`${world.proxyUrl}/webhooks/helpdesk/ticket/after-insert`, event)).status).toBe(403);
  expect(await active()).toEqual(['crm_unauthorized', 'target_team_missing']);
  const text = await read();
  expect(valueIn(text, 'deskside_faults_total', 'fault="crm_unauthorized"')).toBe(1);
  const route = 'route="/webhooks/helpdesk/ticket/after-insert"';
  expect(valueIn(text, 'deskside_http_request_duration_seconds_count', route, 'outcome="refused"')).toBe(1);

  world.crm.fault = null;
  ahead += 6 * 60_000;
  await profileOf(world, demo.tickets.matched, { refresh: 1 });
  expect(await active()).toEqual(['target_team_missing']);
  const team = { name: 'CS later', team_name: 'CS later' };
  world.helpdesk.put('HD Team', { ...world.helpdesk.document('HD Team', 'CS 60p'), ...team });
  ahead += 60_000;
  await settle(world);
  expect(await active()).toEqual([]);
  // No name and no label is of a ticket, a customer or an agent; a value may have any digits.
  expect((await read()).replace(/ \S+$/gm, '')).not.toMatch(/200000376001|@|61\d{3}/);
});

test('without the token nobody reads it; while it is being replaced either is good', async () => {
  const next = 'metrics-token-that-follows';
  const { proxyUrl } = await routedWorld({ environment: { METRICS_TOKEN: `${token}, ${next}` } });
  for (const one of [token, next]) expect((await scrape(proxyUrl, `Bearer ${one}`)).status, one).toBe(200);
  for (const no of [
    undefined,
    'Bearer ',
    `token ${token}`,
    ...[`${token}, ${next}`, `${token}x`].map((t) => `Bearer ${t}`),
  ])
    expect((await scrape(proxyUrl, no)).status, no).toBe(401);
  expect((await scrape((await routedWorld()).proxyUrl)).status).toBe(404);
});
