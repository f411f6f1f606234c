import { describe, expect, test } from 'vitest';
import { growing, growingOwner, medium, small } from '#crm/testing/sample-companies.ts';
import { cs, grow, scale } from '#routing/testing/pipeline-rules.ts';
import * as decisions from '#store/decisions.ts';
import {
  byAgent,
  byStranger,
  type PipelineWorld,
  pipelineWorld,
  standing,
  stranger,
  withOrgId,
} from '#testing/pipeline-kit.ts';

/** A ticket that a claim of a small shop has sent to the SME team. */
async function claimed(claims: 'accept' | 'hold' = 'hold') {
  const w = pipelineWorld({ claims });
  w.desk.insert('1', withOrgId(small, byStranger));
  await w.run('1');
  return w;
}
const causes = async (w: PipelineWorld) => (await decisions.list(w.db, w.desk.keyOf('1'))).map(({ cause }) => cause);
const preview = async (w: PipelineWorld, orgId = medium) => (await w.sync('1', orgId, { action: 'preview' })).team;
const send = (w: PipelineWorld, orgId = medium) => w.sync('1', orgId, { reroute: true });

test('a Sync says in its preview which team the rules would choose, and writes nothing', async () => {
  const w = await claimed();
  const writes = [...w.desk.writes];
  expect(await preview(w)).toBe(scale);
  expect(await preview(w, small)).toBeNull();
  expect([w.desk.writes, await causes(w)]).toEqual([writes, ['webhook']]);
});

describe('a Sync that sends the ticket on', () => {
  test.each(['accept', 'hold'] as const)('has it decided again, once, as confirmed (claims %s)', async (claims) => {
    const w = await claimed(claims);
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    expect((await send(w)).team).toBe(scale);
    expect((await send(w)).team).toBe(scale);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: Customer Segment=Medium, .* Target team=Medium - Scale\./);
    expect(await causes(w)).toEqual(['sync', 'webhook']);
    expect(await decisions.latest(w.db, w.desk.keyOf('1'))).toMatchObject({
      state: 'applied',
      inputs: {
        org_id: { value: medium, trust: { level: 'confirmed', evidence: [{ code: 'linked_by_agent' }, {}] } },
      },
    });
    // First the agent, then the group: a native rule leaves a ticket alone that somebody has.
    const order = w.desk.writes.map((write) => write.split(' ')[0]);
    expect(order.lastIndexOf('withdraw')).toBeLessThan(order.lastIndexOf('assign'));
    expect(order.lastIndexOf('assign')).toBeLessThan(order.lastIndexOf('route'));
    w.desk.insert('2', withOrgId(medium, byStranger));
    await w.run('2');
    expect(standing(w, '2').assigned).toEqual(['binh@desk.example']);
  });

  test('leaves a ticket where a person has put it, and one that is closed, was never routed or has no team', async () => {
    const byPerson = await claimed();
    byPerson.desk.personSetsGroup('1', grow);
    const closed = await claimed();
    closed.desk.personSetsStatus('1', 'Closed');
    const never = pipelineWorld();
    never.desk.insert('1', withOrgId(small, { ...byStranger, agent_group: cs }));
    const kept = pipelineWorld();
    kept.desk.insert('1', withOrgId(small, { ...byAgent, agent_group: grow }));
    await kept.run('1');
    const without = pipelineWorld();
    without.desk.removeTeam(cs);
    without.desk.insert('1', withOrgId(small, byAgent));
    await without.run('1');
    for (const w of [byPerson, closed, never, kept, without]) {
      const { group, assigned } = standing(w, '1');
      expect(await preview(w)).toBeNull();
      expect((await send(w)).team).toBeNull();
      expect(standing(w, '1')).toMatchObject({ group, assigned });
    }
  });

  test('leaves it in its team where the right one does not exist', async () => {
    const w = await claimed();
    w.desk.removeTeam(scale);
    expect((await send(w)).team).toBeNull();
    expect(await causes(w)).toEqual(['webhook']);
  });

  test('is finished a minute later where it failed', async () => {
    const w = await claimed();
    await w.sync('1', medium);
    const dueAt = () => w.rows.work.get('1')?.dueAt;
    await w.ctx.background.idle();
    await w.run('1');
    expect(await causes(w)).toEqual(['confirmed', 'webhook']);
    w.desk.failNext('assignments.add');
    expect((await send(w)).team).toBeNull();
    expect(dueAt()).toBe(w.clock() + 60_000);
  });

  test('gives it to an agent of the new team, though the old one’s has answered', async () => {
    const w = await claimed();
    w.desk.personReplies('1');
    await send(w);
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test('leaves the agent whom a person assigned', async () => {
    const w = await claimed();
    w.desk.personAssigns('1', 'khoa@desk.example');
    await send(w);
    expect(standing(w, '1').group).toBe(scale);
    expect(standing(w, '1').assigned).toContain('khoa@desk.example');
  });

  test('and that cannot be carried out stands, and is finished by the pipeline', async () => {
    const w = await claimed();
    w.desk.before('link', () => w.desk.failNext('tickets.write'));
    expect(await send(w)).toMatchObject({ ticket: { linked: true }, team: null });
    expect(w.complaints).toContain('A ticket was linked by a Sync, but not decided again');
    expect((await decisions.latest(w.db, w.desk.keyOf('1')))?.state).toBe('planned');
    expect(w.rows.work.get('1')?.dueAt).not.toBeNull();
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test('and fails by a mistake of ours does not hide it', async () => {
    const w = await claimed();
    w.desk.helpdesk.people.readTeam = () => Promise.reject(new TypeError('a mistake'));
    await expect(send(w)).rejects.toThrow('a mistake');
  });

  test('goes to the team of its preview also where the ticket names another company that is vouched for', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', withOrgId(growing, { owner: growingOwner, raised_by: growingOwner }));
    await w.run('1');
    const before = standing(w, '1');
    const said = await preview(w, small);
    const done = await send(w, small);
    expect([said, done.team, standing(w, '1').group]).toEqual([cs, cs, cs]);
    expect(w.desk.routingOf('1').orgId).toBe(growing);
    await w.undoSync('1', done);
    expect(standing(w, '1')).toMatchObject({ group: cs, customer: before.customer });
    expect(w.desk.routingOf('1')).toMatchObject({ segment: 'Medium' });
  });

  test('undone where somebody else reads the ticket by now, goes back to no reason that names a company', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', withOrgId(growing, { owner: growingOwner, raised_by: growingOwner }));
    await w.run('1');
    const { group } = standing(w, '1');
    const done = await w.sync('1', small);
    await w.run('1');
    expect(await causes(w)).toEqual(['confirmed', 'webhook']);
    w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
    w.desk.put('Contact', stranger, { owner: stranger, email_id: growingOwner });
    w.desk.put('HD Ticket', '1', { contact: stranger });
    await w.undoSync('1', done);
    const reason = `Auto-routed: Company taken back. Target team=${group}.`;
    expect([standing(w, '1').reason, (await w.decided('1'))?.outcome.reason]).toEqual([reason, reason]);
  });
});
