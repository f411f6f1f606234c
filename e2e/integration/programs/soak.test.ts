import { demo } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import { unfairTeams, unfinished } from '../../soak/judge.ts';
import { runSoak } from '../../soak/soak.ts';
import { assignmentsOf, routedWorld, settle, staff } from '../pipeline-kit.ts';

test('the soak’s judge sees a ticket that is not routed, and one that is routed twice', async () => {
  const world = await routedWorld();
  staff(world);
  const insert = () => world.helpdesk.insertTicket(demo.service.name, { subject: 'x', raised_by: 'a@b.example' });
  const tickets = [
    { name: await insert(), orgId: null },
    { name: await insert(), orgId: null },
  ] as const;
  const judged = async () => {
    const assignments = assignmentsOf(world);
    return tickets.map((ticket) => unfinished(world.helpdesk, ticket, assignments).length);
  };
  expect(await judged()).toEqual([1, 1]);
  await settle(world);
  expect(await judged()).toEqual([0, 0]);
  expect(await unfairTeams(world.proxyUrl, tickets)).toEqual([]);

  const [assigned] = assignmentsOf(world);
  world.helpdesk.put('ToDo', { ...assigned, name: 'another' });
  expect((await judged()).toSorted()).toEqual([0, 1]);
});

// Minutes of real time, because processes are killed; `npm run soak` takes as long as it is told.
if (sized({ small: false, full: true })) {
  test.each(['SQLite', 'PostgreSQL'])(
    'with faults and kills every ticket is routed exactly once, and turns are exact, on %s',
    async (database) => {
      const isPostgres = database === 'PostgreSQL';
      const { findings, kills } = await runSoak({ isPostgres, seconds: 60, seed: 1, ticketsPerSecond: 1 });
      expect(findings).toEqual([]);
      expect(kills).toBeGreaterThan(0);
    },
    900_000,
  );
}
