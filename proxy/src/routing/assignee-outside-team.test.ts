import { describe, expect, test } from 'vitest';
import { medium } from '#testing/sample-companies.ts';
import { pipelineWorld, standing, withOrgId } from './testing/pipeline-kit.ts';
import { scale } from './testing/pipeline-rules.ts';

describe('a helpdesk that refuses assignees outside the ticket’s team', () => {
  function world() {
    const w = pipelineWorld();
    w.desk.simulator.settings.refusesAssigneesOutsideTeam = true;
    w.desk.insert('1', withOrgId(medium));
    return w;
  }

  test('gets the group first, and then the assignment', async () => {
    const w = world();
    expect(await w.run('1')).toBeNull();
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: /);
    const verbs = w.desk.writes.map((write) => write.split(' ')[0]);
    expect(verbs.slice(-3)).toEqual(['route', 'assign', 'route']);
  });

  test('what a native rule assigns in between is withdrawn: one agent has it, whose turn it is', async () => {
    const w = world();
    w.desk.useNativeRule(scale);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test('a crash between group and assignment is made up for', async () => {
    const w = world();
    w.desk.before('route', () => {
      w.desk.failNext('assignments.add');
    });
    await w.run('1').catch(() => {});
    await w.process().run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });
});
