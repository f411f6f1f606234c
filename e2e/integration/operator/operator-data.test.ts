import { operatorHeader } from '@deskside/shared/operator/contract';
import { OperatorExpiring } from '@deskside/shared/operator/expiring';
import { OperatorRouting } from '@deskside/shared/operator/routing';
import { OperatorHealth, OperatorToday } from '@deskside/shared/operator/today';
import { RoutingDecisions } from '@deskside/shared/routing';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { Visitor } from '../operator-kit.ts';
import { nativeRules, routedWorld, setAvailability, settle } from '../pipeline-kit.ts';

const since = () => new Date(Date.now() - 3_600_000).toISOString();

test('the operator page’s data: what came in, where it went and why, what waits, and what is wrong', async () => {
  const w = await routedWorld({ operator: true });
  const visitor = new Visitor(w);
  await visitor.signIn(demo.manager.name);
  const read = async (path: string) => {
    const response = await visitor.get(`/operator/api/${path}`, { headers: { [operatorHeader]: '1' } });
    const body = (await response.json()) as { data: unknown };
    return { status: response.status, data: body.data };
  };
  const today = async () => OperatorToday.parse((await read(`today?since=${since()}`)).data);
  expect((await today()).tickets).toEqual({ matched: 0, claimed: 0, unknown: 0 });

  // Nobody of the team is there, and no rule of the helpdesk's own takes somebody else, so the first ticket waits.
  nativeRules(w, false);
  const { users } = w.helpdesk.document('HD Team', 'Medium - Scale') as unknown as { users: { user: string }[] };
  for (const { user } of users) setAvailability(w, user, 'Unavailable');
  const name = await w.helpdesk.insertTicket(demo.portal.name, { subject: 'x' }, { portal: true });
  const stranger = (orgId: string) =>
    w.helpdesk.insertTicket(demo.service.name, {
      ...{ subject: 'x', custom_orgid: orgId, raised_by: 'khach.la@hopthu.example' },
    });
  await stranger('1000391001');
  const unknown = await stranger('999999999');
  await settle(w);
  expect(await today()).toMatchObject({
    tickets: { matched: 1, claimed: 1, unknown: 1 },
    unknown_org_ids: [{ org_id: '999999999', tickets: [unknown] }],
    crm: { last_hour: { failed: 0 }, errors: [], lanes: [{ lane: 'click' }, { lane: 'open' }, { lane: 'backfill' }] },
    waiting: { tickets: 1, first: [{ ticket: name, team: 'Medium - Scale' }] },
  });
  expect((await today()).crm?.last_hour.requests).toBeGreaterThan(0);

  const routing = OperatorRouting.parse((await read(`routing?since=${since()}`)).data);
  expect(routing.tickets).toBe(3);
  const names = routing.teams.flatMap(({ agents }) => agents).map((agent) => agent.name);
  expect(names.length).toBeGreaterThan(0);
  expect(names).not.toContain(null);
  const explained = RoutingDecisions.parse((await read(`decisions?ticket=${name}`)).data);
  expect(explained.decisions).toMatchObject([{ ticket: name, inputs: { org_id: { value: '200000376001' } } }]);
  expect(await read('decisions?ticket=none')).toMatchObject({ status: 200, data: { decisions: [] } });

  // Whose plan ends soon, by what the CRM was asked for the tickets; it is not asked for this.
  const before = w.crm.journal.length;
  const expiring = OperatorExpiring.parse((await read('expiring')).data);
  expect(expiring.tickets).toBeGreaterThan(0);
  expect(expiring.customers.every(({ days_left }) => days_left >= 0 && days_left < 30)).toBe(true);
  expect(expiring.oldest_check).not.toBeNull();
  expect(w.crm.journal.length).toBe(before);

  // What is wrong is said as `doctor` says it, without a secret.
  w.crm.fault = 'unauthorized';
  const health = OperatorHealth.parse((await read('health')).data);
  const codes = health.findings.map(({ code }) => code);
  expect(codes).toContain('crm_webhook_refused');
  expect(health.not_checked.length).toBeGreaterThan(0);

  for (const [path, field] of [
    ['today', 'since'],
    ['routing?since=yesterday', 'since'],
    ['decisions?ticket=', 'ticket'],
  ] as const)
    expect(await read(path)).toMatchObject({ status: 400, data: { issues: [{ field }] } });
  const nobody = new Visitor(w);
  for (const path of [`today?since=${since()}`, `routing?since=${since()}`, `decisions?ticket=${name}`, 'health']) {
    const response = await nobody.get(`/operator/api/${path}`, { headers: { [operatorHeader]: '1' } });
    expect(response.status, path).toBe(401);
  }
});
