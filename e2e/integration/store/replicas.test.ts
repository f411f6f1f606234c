import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { sized } from '@deskside/testing/size';
import { expect, onTestFinished, test } from 'vitest';
import { ticketOf } from '../pipeline-kit.ts';
import { deskForProcesses, firstSweep, spawnProxy } from '../processes.ts';

/** How often the replica that does the regular work is killed. */
const kills = sized({ small: 1, full: 4 });

test('a replica that is killed is replaced: what no webhook told of is found by the others', async () => {
  const server = await startPostgres('replicas');
  onTestFinished(() => server.stop());
  // Tickets are routed, but nobody tells of them.
  const { helpdesk, environment, insert } = await deskForProcesses({ database: server.urlOf('postgres') });
  const routed = (name: string) => expect.poll(() => ticketOf({ helpdesk }, name).group).toBe('CS 60p');

  const owner = async () => (await server.query("select owner from leases where key = 'loops'"))[0]?.owner;

  let running = await spawnProxy(environment);
  await expect.poll(() => server.query(`select note from ${firstSweep}`)).toHaveLength(1);
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
