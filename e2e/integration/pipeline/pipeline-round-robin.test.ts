import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { freePort } from '@deskside/testing/free-port';
import { sized } from '@deskside/testing/size';
import { describe, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { tellOfNewTickets, webhookSecret } from '../../demo/world.ts';
import { assignmentsOf, openTodos, staff, team } from '../pipeline-kit.ts';
import { spawnProxy } from '../processes.ts';

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
      const helpdesk = await startHelpdesk({ seed: sharedSeed().helpdesk });
      const data = await mkdtemp(path.join(tmpdir(), 'deskside-turns-'));
      onTestFinished(async () => {
        await helpdesk.close();
        await rm(data, { recursive: true, force: true });
      });
      staff({ helpdesk }, native);
      helpdesk.settings.webhookPauseScale = 0.01;
      const environment = {
        ...proxyEnvironment({ helpdesk }, `file:${data}`),
        PORT: String(await freePort()),
        HELPDESK_WEBHOOK_SECRET: webhookSecret,
      };
      const first = await spawnProxy(environment, onTestFinished);
      // Its first sweep begins the time from which a sweep finds what no webhook could tell.
      const store = new DatabaseSync(path.join(data, 'state.db'), { readOnly: true });
      await expect.poll(() => store.prepare("select note from notes where key = 'swept'").all()).toHaveLength(1);
      store.close();
      tellOfNewTickets(helpdesk, first.url);
      const assigned = () => assignmentsOf({ helpdesk });

      await Promise.all(
        Array.from({ length: count }, (_, n) =>
          helpdesk.insertTicket(demo.service.name, { subject: `Turn ${n}`, raised_by: 'khach.la@hopthu.example' }),
        ),
      );
      await expect.poll(async () => (await assigned()).length).toBeGreaterThan(count / 5);
      first.kill('SIGKILL');
      // The port is free again only then.
      await first.ended;
      await spawnProxy(environment, onTestFinished);
      const open = async () => (await assigned()).filter(({ status }) => status === 'Open');
      await expect
        .poll(async () => new Set((await open()).map((todo) => todo.reference_name)).size, { timeout, interval: 200 })
        .toBe(count);

      const ours = (await openTodos({ helpdesk })).filter(({ reference_name }) =>
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
