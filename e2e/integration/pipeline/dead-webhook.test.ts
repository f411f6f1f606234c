import { doctorCommand } from '@deskside/proxy/doctor';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { worldWithCommands } from '../pipeline-kit.ts';
import { runHere } from '../processes.ts';

const webhookName = 'Deskside: new ticket';
const token = 'metrics-token-of-this-test';

test('a webhook that is disabled in the helpdesk shows everywhere, until a ticket comes by it', async () => {
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const { world, environment } = await worldWithCommands({ clock, environment: { METRICS_TOKEN: token } });
  const { helpdesk, pipeline, proxyUrl } = world;
  const enable = (enabled: 0 | 1) =>
    helpdesk.put('Webhook', { ...helpdesk.document('Webhook', webhookName), name: webhookName, enabled });
  const insert = () => helpdesk.insertTicket(demo.agent.name, { subject: 'x', raised_by: 'someone@else.example' });
  const missed = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(`${proxyUrl}/metrics`, { headers })).text();
    return Number(/^deskside_webhook_missed_tickets (\d+)$/m.exec(text)?.[1]);
  };
  const readiness = async () => {
    // It is looked once in five seconds.
    ahead += 5_000;
    const { data } = (await (await fetch(`${proxyUrl}/readyz`)).json()) as { data: { checks: { message: string }[] } };
    return data.checks.map(({ message }) => message).join(' ');
  };
  const doctor = async () => (await runHere(doctorCommand(), [], environment)).out;
  const found = '3 of the last 3 tickets were found by the sweep.';

  // Tickets from before the first sweep are none of Deskside's.
  await pipeline.sweep();
  enable(0);
  for (const _ of [1, 2, 3]) await insert();
  const swept = async () => {
    await pipeline.sweep();
    return missed();
  };
  await expect.poll(swept, { interval: 200 }).toBe(3);
  await expect.poll(readiness).toContain(`Last webhook: never. ${found}`);
  const report = await doctor();
  expect(report).toContain(`✗ Last webhook: never. ${found}`);
  expect(report).toContain(
    `✗ The webhook "${webhookName}" is not as the proxy needs it, so that tickets are left out or refused: enabled is 0.`,
  );

  enable(1);
  await insert();
  await expect.poll(missed).toBe(0);
  const mended = await doctor();
  expect(mended).toContain('✓ Last webhook: ');
  expect(mended).not.toContain('enabled is 0');
});
