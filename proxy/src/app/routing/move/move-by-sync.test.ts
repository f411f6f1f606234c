import { describe, expect, test } from 'vitest';
import {
  byAgent,
  byStranger,
  type PipelineWorld,
  pipelineWorld,
  standing,
  withOrgId,
} from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, grow, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { medium, small } from '#app/testing/sample-companies.ts';

const agent = 'linh@desk.example';
const synced = {
  agent,
  orgId: medium,
  status: 'matched' as const,
  checkedAt: '2026-05-08T00:00:00.000Z',
  customer: { name: `Shop ${medium}`, segment: 'Medium', shopPlan: 'OMNI SCALE 2025 (1 năm)' },
};
const entry = { id: 'sync-1', ticket: '1', agent, orgId: medium };
const sync = { ...synced, id: 'sync-1', team: scale };

/** A ticket that a claim of a small shop has sent to the SME team. */
async function claimed() {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.insert('1', withOrgId(small, byStranger));
  await w.run('1');
  return w;
}
const causes = async (w: PipelineWorld) => (await w.decisions.list('1')).map(({ cause }) => cause);

describe('a Sync that changes whose ticket it is', () => {
  test('says what it would move, and moves nothing', async () => {
    const w = await claimed();
    const writes = [...w.desk.writes];
    const said = await w.previewMove('1', synced);
    expect(said).toEqual({ team: scale, from: cs, agent: 'turn', done: false });
    expect(w.desk.writes).toEqual(writes);
    expect(await causes(w)).toEqual(['webhook']);
  });

  test('moves team and agent by one recorded decision and takes one turn, however often it is pressed', async () => {
    const w = await claimed();
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    const done = { team: scale, from: cs, agent: 'turn', done: true };
    expect(await w.moveBySync('1', sync)).toEqual(done);
    expect(await w.moveBySync('1', sync)).toEqual(done);
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: Customer Segment=Medium, .* Target team=Medium - Scale\.$/);
    expect(await causes(w)).toEqual(['sync', 'webhook']);
    expect(await w.decisions.latest('1')).toMatchObject({
      state: 'applied',
      sync: { id: 'sync-1', agent, before: { agent: 'hoa@desk.example' } },
      inputs: { org_id: { value: medium, trust: { level: 'confirmed' } } },
    });
    // First the agent, then the group: a native rule leaves a ticket alone that somebody has.
    const order = w.desk.writes.slice(-3).map((write) => write.split(' ')[0]);
    expect(order).toEqual(['withdraw', 'assign', 'route']);
    w.desk.insert('2', withOrgId(medium, byStranger));
    await w.run('2');
    expect(standing(w, '2').assigned).toEqual(['binh@desk.example']);
  });

  test('undone, gives the ticket back to its team and agent, with what it was decided by', async () => {
    const w = await claimed();
    const before = standing(w, '1');
    await w.moveBySync('1', sync);
    expect(await w.moveBack({ ...entry, id: 'another' })).toBeNull();
    expect(await w.moveBack(entry)).toBe(cs);
    expect(standing(w, '1')).toEqual(before);
    expect(await causes(w)).toEqual(['sync_undone', 'sync', 'webhook']);
    const [latest, , first] = await w.decisions.list('1');
    expect(latest?.outcome).toEqual(first?.outcome);
    expect(latest?.inputs.org_id).toEqual(first?.inputs.org_id);
    await w.moveBack(entry);
    expect(await causes(w)).toHaveLength(3);
    expect(w.inbox.work.get('1')?.dueAt).not.toBeNull();
  });

  test('leaves a ticket where a person has put it, and one that is closed or was never routed', async () => {
    const byPerson = await claimed();
    byPerson.desk.personSetsGroup('1', grow);
    const closed = await claimed();
    closed.desk.personSetsStatus('1', 'Closed');
    const never = pipelineWorld();
    never.desk.insert('1', withOrgId(small, { ...byStranger, agent_group: cs }));
    const kept = pipelineWorld();
    kept.desk.insert('1', withOrgId(small, { ...byAgent, agent_group: grow }));
    await kept.run('1');
    for (const w of [byPerson, closed, never, kept]) {
      expect(await w.previewMove('1', synced)).toBeNull();
      expect(await w.moveBySync('1', sync)).toBeNull();
    }
    expect(standing(byPerson, '1').group).toBe(grow);
  });

  test('leaves the agent whom a person assigned, and moves the team', async () => {
    const w = await claimed();
    w.desk.personAssigns('1', 'khoa@desk.example');
    expect(await w.previewMove('1', synced)).toMatchObject({ team: scale, agent: 'kept' });
    await w.moveBySync('1', sync);
    expect(standing(w, '1').group).toBe(scale);
    expect(standing(w, '1').assigned).toContain('khoa@desk.example');
  });

  test('waits for an agent where nobody is available; undone, nobody waits any more', async () => {
    const w = await claimed();
    w.desk.goAway('an@desk.example', 'binh@desk.example');
    expect(await w.previewMove('1', synced)).toMatchObject({ agent: 'nobody' });
    expect(await w.moveBySync('1', sync)).toMatchObject({ agent: 'nobody', done: true });
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [] });
    await w.moveBack(entry);
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    expect(await w.decisions.waitingTeams()).toEqual([]);
  });

  test('moves nothing to another team than the agent has agreed to, nor where the rules name the same', async () => {
    const w = await claimed();
    expect(await w.moveBySync('1', { ...sync, team: grow })).toBeNull();
    const same = { ...synced, customer: { ...synced.customer, segment: 'SME' } };
    expect(await w.previewMove('1', same)).toBeNull();
    expect(await causes(w)).toEqual(['webhook']);
  });

  test('that cannot be carried out is logged, and finished by the pipeline', async () => {
    const w = await claimed();
    w.desk.failNext('writeRouting');
    expect(await w.moveBySync('1', sync)).toBeNull();
    expect(w.complaints).toContain('A ticket was linked by a Sync, but not moved');
    expect((await w.decisions.latest('1'))?.state).toBe('planned');
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test('undone before it has been carried out, leaves the ticket where it was, also once the pipeline has looked', async () => {
    const w = await claimed();
    const before = standing(w, '1');
    w.desk.failNext('writeRouting');
    await w.moveBySync('1', sync);
    expect((await w.decisions.latest('1'))?.state).toBe('planned');
    expect(await w.moveBack(entry)).toBe(cs);
    await w.run('1');
    expect(standing(w, '1')).toEqual(before);
    expect(await causes(w)).toEqual(['sync_undone', 'sync', 'webhook']);
  });

  test('is not undone where somebody has moved the ticket since', async () => {
    const w = await claimed();
    await w.moveBySync('1', sync);
    w.desk.personSetsGroup('1', grow);
    expect(await w.moveBack(entry)).toBeNull();
    expect(standing(w, '1').group).toBe(grow);
  });
});
