import { describe, expect, test } from 'vitest';
import { service } from '#app/testing/desk-seed.ts';
import {
  type PipelineWorld,
  pipelineWorld,
  standing,
  stranger,
  withOrgId,
} from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { medium } from '#app/testing/sample-companies.ts';

/** Two installations on one helpdesk, both with a sweep behind them. They disagree on what a claim may do. */
async function two(): Promise<[PipelineWorld, PipelineWorld]> {
  const first = pipelineWorld();
  const second = pipelineWorld({ desk: first.desk, claims: 'propose' });
  for (const world of [first, second]) await world.sweep();
  first.clock.advance(1_000);
  return [first, second];
}

/** Everybody in the team that has the ticket, and those who are assigned. */
function teamAndAssigned(w: PipelineWorld, ticket: string) {
  const { group, assigned } = standing(w, ticket);
  const users = w.desk.document('HD Team', String(group))?.users as { user: string }[];
  return { members: users.map(({ user }) => user), assigned };
}

describe('another installation on the same helpdesk', () => {
  test('its ticket is left alone, once and for all, and the operator is told', async () => {
    const [first, second] = await two();
    first.desk.insert('1', withOrgId(medium));
    await first.run('1');
    const before = first.desk.ticket('1');
    first.desk.writes.length = 0;
    await second.run('1');
    expect(first.desk.writes).toEqual([]);
    expect(first.desk.ticket('1')).toEqual(before);
    expect(second.faults).toEqual(['another_installation']);
    expect(first.faults).toEqual([]);
    expect(await second.decisions.latest('1')).toMatchObject({
      state: 'applied',
      inputs: { agent_group: { name: scale, set_by: 'deskside' } },
      outcome: { team: null, reason: `Left to another installation of Deskside: ${scale}.` },
    });
    expect(await second.run('1')).toEqual({ again: null });
    expect(await second.sweep()).toBe(0);
    expect(second.faults).toHaveLength(1);
  });

  test('of two that decide at the same moment one gets the ticket, with an agent of its team', async () => {
    const [first, second] = await two();
    const names = Array.from({ length: 20 }, (_, index) => `t${index}`);
    for (const [index, name] of names.entries()) {
      first.desk.insert(name, withOrgId(medium));
      const both = index % 2 === 0 ? [first, second] : [second, first];
      await Promise.all(both.map((world) => world.run(name)));
      for (const world of both) await world.run(name);
      const { members, assigned } = teamAndAssigned(first, name);
      expect(assigned).toHaveLength(1);
      expect(members).toContain(assigned[0]);
    }
    expect(new Set([...first.faults, ...second.faults])).toEqual(new Set(['another_installation']));
  });

  test('what it assigns while we are still deciding is respected', async () => {
    const [first, second] = await two();
    first.desk.insert('1', withOrgId(medium));
    second.crm.whileAsking = async () => void (await first.run('1'));
    await second.run('1');
    expect(standing(first, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(second.faults).toContain('another_installation');
    expect((await second.decisions.latest('1'))?.state).toBe('overruled');
  });

  test('its ticket from before our first sweep is left alone too, but that is no fault', async () => {
    const first = pipelineWorld();
    first.desk.insert('1', withOrgId(medium));
    await first.run('1');
    first.clock.advance(60_000);
    const second = pipelineWorld({ desk: first.desk });
    await second.sweep();
    await second.run('1');
    expect(standing(first, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(second.faults).toEqual([]);
  });

  test('group and reason that our account wrote are told of as well', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    await w.sweep();
    const written = { agent_group: cs, custom_platform_routing_reason: 'Auto-routed: x' };
    for (const [name, by] of [
      ['1', service],
      ['2', stranger],
      ['3', service],
    ] as const) {
      w.desk.insert(name, withOrgId(medium));
      w.desk.changes(name, by, written);
    }
    const key = String(w.desk.ticket('3').key);
    await w.decisions.keepPreliminary({ key, team: cs, reason: 'Auto-routed: x', at: 0 });
    for (const name of ['1', '2', '3']) await w.run(name);
    expect(w.faults).toEqual(['another_installation']);
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
  });

  test('a decision of ours that a crash cut off is not taken for another’s', async () => {
    const [first] = await two();
    first.desk.insert('1', withOrgId(medium));
    first.desk.failNext('writeRouting');
    await first.run('1').catch(() => {});
    await first.process().run('1');
    expect(standing(first, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(first.faults).toEqual([]);
  });
});
