import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { webhookSecret } from '../../demo/world.ts';
import { setAvailability, ticketOf } from '../pipeline-kit.ts';
import { spawnProxy } from '../processes.ts';

/** How often the replica that does the regular work is killed. */
const kills = sized({ small: 1, full: 4 });

test('a replica that is killed is replaced: what no webhook told of is found by the others', async () => {
  const helpdesk = await startHelpdesk({ seed: sharedSeed().helpdesk });
  const server = await startPostgres('replicas');
  onTestFinished(async () => {
    await helpdesk.close();
    await server.stop();
  });
  const world = { helpdesk };
  setAvailability(world, 'an@support.example', 'Active');
  const environment = {
    ...proxyEnvironment({ helpdesk }, server.urlOf('postgres')),
    // Tickets are routed, but nobody tells of them.
    HELPDESK_WEBHOOK_SECRET: webhookSecret,
  };
  const insert = () => helpdesk.insertTicket(demo.service.name, { subject: 'x', raised_by: 'khach.la@hopthu.example' });
  const routed = (name: string) => expect.poll(() => ticketOf(world, name).group).toBe('CS 60p');

  const owner = async () => (await server.query("select owner from leases where key = 'loops'"))[0]?.owner;

  let running = await spawnProxy(environment);
  // Its first sweep begins the time from which tickets are ours.
  await expect.poll(() => server.query("select note from notes where key = 'swept'")).toHaveLength(1);
  for (let killed = 0; killed < kills; killed += 1) {
    const first = await owner();
    expect(first).toBeTypeOf('string');
    const second = await spawnProxy(environment);
    // On a busy machine the second may have had to take over already.
    const before = await owner();
    const [holder, other] = before === first ? [running, second] : [second, running];
    holder.kill('SIGKILL');
    await holder.ended;
    await routed(await insert());
    expect(await owner()).not.toBe(before);
    running = other;
  }
});
