import path from 'node:path';
import { freePort } from '@deskside/testing/free-port';
import { sized } from '@deskside/testing/size';
import { describe, test } from 'vitest';
import { tellOfNewTickets } from '../../demo/world.ts';
import { assignmentsOf, openTodos, team } from '../pipeline-kit.ts';
import { countRows, deskForProcesses, firstSweep, spawnProxy } from '../processes.ts';

const timeout = 600_000;
const count = sized({ small: 42, full: 1_000 });

// They mostly wait for what the killed proxy had claimed.
describe.concurrent.each([
  ['on', true],
  ['off', false],
] as const)('native rules %s', (_, native) => {
  test(
    'concurrent inserts on 7 agents: as many each and nobody twice, though the proxy is killed midway',
    async ({ expect, onTestFinished }) => {
      const { helpdesk, folder, environment, insert } = await deskForProcesses({ native, finished: onTestFinished });
      const served = { ...environment, PORT: String(await freePort()) };
      const first = await spawnProxy(served, onTestFinished);
      await expect.poll(() => countRows(firstSweep, path.join(folder, 'data', 'state.db'))).toBe(1);
      tellOfNewTickets(helpdesk, first.url);
      const assigned = () => assignmentsOf({ helpdesk });

      await Promise.all(Array.from({ length: count }, (_, n) => insert(`Turn ${n}`)));
      await expect.poll(async () => (await assigned()).length).toBeGreaterThan(count / 5);
      // The port is free again only then.
      await first.end();
      await spawnProxy(served, onTestFinished);
      const open = async () => (await assigned()).filter(({ status }) => status === 'Open');
      await expect
        .poll(async () => new Set((await open()).map((todo) => todo.reference_name)).size, { timeout, interval: 200 })
        .toBe(count);

      const ours = openTodos({ helpdesk }).filter(({ reference_name }) =>
        helpdesk.document('HD Ticket', reference_name)?.subject?.toString().startsWith('Turn '),
      );
      expect(ours).toHaveLength(count);
      const each = team.map((user) => ours.filter(({ allocated_to }) => allocated_to === user).length);
      expect(Math.min(...each)).toBe(Math.floor(count / team.length));
      expect(Math.max(...each)).toBe(Math.ceil(count / team.length));
    },
    timeout,
  );
});
