import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { medium, small } from '#app/testing/pipeline/pipeline-crm.ts';
import { type PipelineWorld, pipelineWorld, standing, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, grow, scale } from '#app/testing/pipeline/pipeline-rules.ts';

const { signal } = new AbortController();
const agent = 'linh@desk.example';
const synced = {
  agent,
  orgId: medium as OrgId,
  status: 'matched' as const,
  checkedAt: '2026-05-08T00:00:00.000Z',
  customer: { name: `Shop ${medium}`, segment: 'Medium', shopPlan: 'OMNI SCALE 2025 (1 năm)' },
};
const entry = { id: 'sync-1', ticket: '1', agent, orgId: medium as OrgId };
const sync = { ...synced, id: 'sync-1', team: scale };
const origin = { owner: 'evil@mail.example', raisedBy: 'evil@mail.example', viaCustomerPortal: true };

/** A ticket that a claim of a small shop has sent to the SME team. */
async function claimed(more: Parameters<typeof withOrgId>[1] = {}) {
  const w = pipelineWorld({ claims: 'route' });
  w.tickets.insert('1', withOrgId(small, { origin, ...more }));
  await w.run('1');
  return w;
}
const causes = async (w: PipelineWorld) => (await w.decisions.list('1')).map(({ cause }) => cause);

describe('a Sync that changes whose ticket it is', () => {
  test('says what it would move, and moves nothing', async () => {
    const w = await claimed();
    const writes = [...w.tickets.writes];
    const said = await w.move.bySync.preview('1', synced, signal);
    expect(said).toEqual({ team: scale, from: cs, agent: 'turn', done: false });
    expect(w.tickets.writes).toEqual(writes);
    expect(await causes(w)).toEqual(['webhook']);
  });

  test('moves team and agent by one recorded decision and takes one turn, however often it is pressed', async () => {
    const w = await claimed();
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    const done = { team: scale, from: cs, agent: 'turn', done: true };
    expect(await w.move.bySync.apply('1', sync, signal)).toEqual(done);
    expect(await w.move.bySync.apply('1', sync, signal)).toEqual(done);
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: Customer Segment=Medium, .* Target team=Medium - Scale\.$/);
    expect(await causes(w)).toEqual(['sync', 'webhook']);
    expect(await w.decisions.latest('1')).toMatchObject({
      state: 'applied',
      sync: { id: 'sync-1', agent, before: { agent: 'hoa@desk.example' } },
      inputs: { org_id: { value: medium, trust: { level: 'confirmed' } } },
    });
    // First the agent, then the group: a native rule leaves a ticket alone that somebody has.
    const order = w.tickets.writes.slice(-3).map((write) => write.split(' ')[0]);
    expect(order).toEqual(['withdraw', 'assign', 'route']);
    w.tickets.insert('2', withOrgId(medium, { origin }));
    await w.run('2');
    expect(standing(w, '2').assigned).toEqual(['binh@desk.example']);
  });

  test('undone, gives the ticket back to its team and agent, with what it was decided by', async () => {
    const w = await claimed();
    const before = standing(w, '1');
    await w.move.bySync.apply('1', sync, signal);
    expect(await w.move.back({ ...entry, id: 'another' }, signal)).toBeNull();
    expect(await w.move.back(entry, signal)).toBe(cs);
    expect(standing(w, '1')).toEqual(before);
    expect(await causes(w)).toEqual(['sync_undone', 'sync', 'webhook']);
    const [latest, , first] = await w.decisions.list('1');
    expect(latest?.outcome).toEqual(first?.outcome);
    expect(latest?.inputs.org_id).toEqual(first?.inputs.org_id);
    await w.move.back(entry, signal);
    expect(await causes(w)).toHaveLength(3);
    expect(w.inbox.work.get('1')?.dueAt).not.toBeNull();
  });

  test('leaves a ticket where a person has put it, and one that is closed or was never routed', async () => {
    const byPerson = await claimed();
    byPerson.tickets.personSetsGroup('1', grow);
    const closed = await claimed();
    closed.tickets.personSetsStatus('1', 'Closed');
    const never = pipelineWorld();
    never.tickets.insert('1', withOrgId(small, { origin, agentGroup: cs }));
    const kept = pipelineWorld();
    const desk = { owner: 'an@desk.example', raisedBy: 'vy@shop.example', viaCustomerPortal: false };
    kept.tickets.insert('1', withOrgId(small, { origin: desk, agentGroup: grow }));
    await kept.run('1');
    for (const w of [byPerson, closed, never, kept]) {
      expect(await w.move.bySync.preview('1', synced, signal)).toBeNull();
      expect(await w.move.bySync.apply('1', sync, signal)).toBeNull();
    }
    expect(standing(byPerson, '1').group).toBe(grow);
  });

  test('leaves the agent whom a person assigned, and moves the team', async () => {
    const w = await claimed();
    w.tickets.personAssigns('1', 'khoa@desk.example');
    expect(await w.move.bySync.preview('1', synced, signal)).toMatchObject({ team: scale, agent: 'kept' });
    await w.move.bySync.apply('1', sync, signal);
    expect(standing(w, '1').group).toBe(scale);
    expect(standing(w, '1').assigned).toContain('khoa@desk.example');
  });

  test('waits for an agent where nobody is available; undone, nobody waits any more', async () => {
    const w = await claimed();
    w.tickets.addTeam(scale, [{ user: 'an@desk.example', state: 'ready', availability: 'unavailable' }]);
    expect(await w.move.bySync.preview('1', synced, signal)).toMatchObject({ agent: 'nobody' });
    expect(await w.move.bySync.apply('1', sync, signal)).toMatchObject({ agent: 'nobody', done: true });
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [] });
    await w.move.back(entry, signal);
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    expect(await w.decisions.waitingForAgent(9)).toEqual([]);
  });

  test('moves nothing to another team than the agent has agreed to, nor where the rules name the same', async () => {
    const w = await claimed();
    expect(await w.move.bySync.apply('1', { ...sync, team: grow }, signal)).toBeNull();
    const same = { ...synced, customer: { ...synced.customer, segment: 'SME' } };
    expect(await w.move.bySync.preview('1', same, signal)).toBeNull();
    expect(await causes(w)).toEqual(['webhook']);
  });

  test('that cannot be carried out is logged, and finished by the pipeline', async () => {
    const w = await claimed();
    w.tickets.failNext('writeRouting');
    expect(await w.move.bySync.apply('1', sync, signal)).toBeNull();
    expect(w.complaints).toContain('A ticket was linked by a Sync, but not moved');
    expect((await w.decisions.latest('1'))?.state).toBe('planned');
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test('undone before it has been carried out, leaves the ticket where it was, also once the pipeline has looked', async () => {
    const w = await claimed();
    const before = standing(w, '1');
    w.tickets.failNext('writeRouting');
    await w.move.bySync.apply('1', sync, signal);
    expect((await w.decisions.latest('1'))?.state).toBe('planned');
    expect(await w.move.back(entry, signal)).toBe(cs);
    await w.run('1');
    expect(standing(w, '1')).toEqual(before);
    expect(await causes(w)).toEqual(['sync_undone', 'sync', 'webhook']);
  });

  test('is not undone where somebody has moved the ticket since', async () => {
    const w = await claimed();
    await w.move.bySync.apply('1', sync, signal);
    w.tickets.personSetsGroup('1', grow);
    expect(await w.move.back(entry, signal)).toBeNull();
    expect(standing(w, '1').group).toBe(grow);
  });
});
