import { createServer } from 'node:http';
import { demo } from '@deskside/simulators/seed/index';
import { expect, onTestFinished, test } from 'vitest';
import { profileOf } from '../kit.ts';
import { routedWorld, settle } from '../pipeline-kit.ts';
import { receiveAlerts } from '../receive-alerts.ts';

const minute = 60_000;

test('a webhook that the CRM refuses, and a team that is missing, are told once each, and that they are over', async () => {
  const receiver = await receiveAlerts();
  onTestFinished(receiver.close);
  let ahead = 0;
  const world = await routedWorld({
    clock: () => Date.now() + ahead,
    environment: {
      ALERT_WEBHOOK_URL: `${receiver.url}/hook`,
      RULES_FILE: new URL('../rules/later-team.json', import.meta.url).pathname,
      LOG_LEVEL: 'silent',
    },
  });
  const told = () => receiver.bodies.map((body) => JSON.parse(body));
  const insert = () => world.helpdesk.insertTicket(demo.service.name, { subject: 'x', raised_by: 'la@hopthu.example' });

  await insert();
  await settle(world);
  world.crm.fault = 'unauthorized';
  for (const ticket of [demo.tickets.matched, demo.tickets.onlyTicketOrgId])
    await profileOf(world, ticket, { refresh: 1 });
  await expect.poll(() => told().map(({ alert }) => alert)).toEqual(['target_team_missing', 'crm_unauthorized']);

  world.crm.fault = null;
  ahead += 6 * minute;
  await profileOf(world, demo.tickets.matched, { refresh: 1 });
  expect(world.alerts.active().map(({ cause }) => cause)).toEqual(['target_team_missing']);
  ahead += 2 * minute;
  await world.alerts.tend();
  await world.alerts.told();
  const [, , over, ...more] = told();
  expect(more).toEqual([]);
  expect(over).toMatchObject({ alert: 'crm_unauthorized', state: 'resolved', minutes: 6, kind: 'companies' });
  expect(over.text).toMatch(/resolved after 6 min: The CRM refuses a webhook\./);

  const team = { name: 'CS later', team_name: 'CS later' };
  world.helpdesk.put('HD Team', { ...world.helpdesk.document('HD Team', 'CS 60p'), ...team });
  ahead += minute;
  await settle(world);
  expect(world.alerts.active()).toEqual([]);
  // Nothing of a ticket, a customer or an agent.
  expect(receiver.bodies.join()).not.toMatch(/200000376001|@|61\d{3}/);
});

test('a receiver that hangs holds up no profile', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = (server.address() as { port: number }).port;
  const world = await routedWorld({
    environment: { ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}/`, LOG_LEVEL: 'silent' },
  });
  world.crm.fault = 'unauthorized';
  expect((await profileOf(world, demo.tickets.matched)).bitrix.status).toBe('error');
  expect(world.alerts.active()).toHaveLength(1);
});
