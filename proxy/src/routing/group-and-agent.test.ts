import { describe, expect, test, vi } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import * as decisions from '#store/decisions.ts';
import { stampAt } from '#testing/desk-people.ts';
import { sender, service } from '#testing/desk-seed.ts';
import { byStranger, type PipelineWorld, pipelineWorld, standing, stranger, withOrgId } from '#testing/pipeline-kit.ts';
import { cs, grow, scale } from './testing/pipeline-rules.ts';

/** What somebody does to the ticket 1: at once, or when we begin to write. */
type Deed = (w: PipelineWorld) => void;

const [an, binh, linh] = ['an@desk.example', 'binh@desk.example', 'linh@desk.example'];

/** The text of our assignments to the team of the tickets here. */
const ours = `Auto round-robin assignment for ${scale}`;

/** A rule of the helpdesk gives the ticket 1 to somebody. */
const nativeAssigns = ({ desk }: PipelineWorld) => {
  const reference = { reference_type: 'HD Ticket', reference_name: '1', creation: stampAt(desk.clock()) };
  desk.put('ToDo', 'native', { ...reference, allocated_to: linh, status: 'Open', assignment_rule: 'Rule' });
};

/** People's assignments are shown to the service by themselves. */
const showAll = ({ desk }: PipelineWorld) => desk.simulator.setRoles(service, ['Agent', 'System Manager']);

test.each<[string, Deed, { group: string; assigned: string[] }, object]>([
  [
    'a group of a person: it is kept, nobody is assigned, and the forged reason goes',
    ({ desk }) => desk.personSetsGroup('1', grow),
    { group: grow, assigned: [] },
    { state: 'applied' },
  ],
  [
    'a group that comes between: it stays, and our assignment is taken back',
    ({ desk }) => desk.before('assign', () => desk.personSetsGroup('1', cs)),
    { group: cs, assigned: [] },
    { state: 'overruled', assignment: { state: 'withdrawn' } },
  ],
  [
    'another edit that comes between costs a second look, no more',
    ({ desk }) => desk.before('route', () => desk.personSetsStatus('1', 'Open')),
    { group: scale, assigned: [an] },
    { state: 'applied' },
  ],
  [
    'an open assignment is left alone, whoever made it',
    ({ desk }) => desk.personAssigns('1', linh),
    { group: scale, assigned: [linh] },
    { assignment: { state: 'already_assigned', agent: null } },
  ],
  [
    'one that appears at the same moment wins: ours is withdrawn, theirs never',
    ({ desk }) => desk.before('assign', () => desk.personAssigns('1', linh)),
    { group: scale, assigned: [linh] },
    { assignment: { state: 'already_assigned', agent: null } },
  ],
  [
    'so does one with our text, which a person has made',
    (w) => {
      showAll(w);
      w.desk.before('assign', () => w.desk.personAssigns('1', linh, an, ours));
    },
    { group: scale, assigned: [linh] },
    { assignment: { state: 'already_assigned' } },
  ],
])('somebody and we write at once: %s', async (_, deed, expected, decision) => {
  const w = pipelineWorld({ ticket: withOrgId(medium, { custom_platform_routing_reason: 'Auto-routed: forged' }) });
  deed(w);
  await w.run('1');
  const reason = expected.assigned.length > 0 ? /^Auto-routed: Customer/ : `Manual routing kept: ${expected.group}.`;
  expect(standing(w, '1')).toMatchObject({ ...expected, reason: expect.stringMatching(reason) });
  expect(await w.decided('1')).toMatchObject(decision);
  expect(w.countedAgents).toEqual(expected.assigned.includes(an) ? ['1'] : []);
  expect(await w.run('1')).toBeNull();
});

test('a group that comes between, and an edit while we say that it stays: the next look says so', async () => {
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  w.desk.before('assign', () => w.desk.personSetsGroup('1', cs));
  for (const _ of [1, 2]) w.desk.before('route', () => w.desk.personSetsStatus('1', 'Open'));
  await expect(w.run('1')).rejects.toMatchObject({ code: 'changed_since' });
  expect(await w.run('1')).toBeNull();
  expect(standing(w, '1')).toMatchObject({ group: cs, assigned: [], reason: `Manual routing kept: ${cs}.` });
});

test('a group that comes between while nobody is available leaves nothing to take back', async () => {
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  w.desk.goAway(an, binh);
  w.desk.before('route', () => w.desk.personSetsGroup('1', grow));
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group: grow, assigned: [], reason: `Manual routing kept: ${grow}.` });
  expect(await w.decided('1')).toMatchObject({ state: 'overruled', assignment: { state: 'nobody_available' } });
});

describe('assignment', () => {
  test('a ticket that somebody has gets none of ours, not for a moment', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.personAssigns('1', linh);
    await w.run('1');
    expect(w.desk.assignmentsOf('1')).toMatchObject([{ allocated_to: linh }]);
  });

  test('a ticket that somebody has takes nobody’s turn', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.personAssigns('1', linh);
    await w.run('1');
    await w.route('2', withOrgId(medium));
    expect(['1', '2'].map((name) => standing(w, name).assigned)).toEqual([[linh], [an]]);
  });

  test('nor does one that a native rule has given to somebody, in the group from before the insert', async () => {
    const w = pipelineWorld();
    showAll(w);
    w.desk.useNativeRule(scale);
    const { key } = w.desk.insert('1', withOrgId(medium, { agent_group: scale }));
    await decisions.keepPreliminary(w.db, { key: String(key), team: scale, reason: 'Auto-routed: x', at: 0 });
    const { assigned } = standing(w, '1');
    await w.run('1');
    await w.route('2', withOrgId(medium));
    expect(['1', '2'].map((name) => standing(w, name).assigned)).toEqual([assigned, [an]]);
    expect(await w.decided('1')).toMatchObject({ assignment: { state: 'already_assigned' } });
  });

  test('nor one in no group that a native rule has given to somebody', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    showAll(w);
    nativeAssigns(w);
    w.desk.put('HD Ticket', '1', { _assign: JSON.stringify([linh]) });
    await w.run('1');
    await w.route('2', withOrgId(medium));
    expect(['1', '2'].map((name) => standing(w, name).assigned)).toEqual([[linh], [an]]);
  });

  test('native rules change nothing about it', async () => {
    const w = pipelineWorld();
    w.desk.useNativeRule(scale);
    const names = ['1', '2', '3', '4'];
    for (const name of names) await w.route(name, withOrgId(medium));
    expect(names.map((name) => standing(w, name).assigned)).toEqual([[an], [binh], [an], [binh]]);
  });

  test.each(['before', 'after'] as const)(
    'a crash %s the assignment is made up for, with the same agent',
    async (when) => {
      const w = pipelineWorld({ ticket: withOrgId(medium) });
      w.desk.failNext('assignments.add', new HelpdeskError('timeout', 'late'), when);
      await expect(w.run('1')).rejects.toBeInstanceOf(HelpdeskError);
      expect((await w.decided('1'))?.state).toBe('planned');
      expect(await w.process().run('1')).toBeNull();
      expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [an] });
      await w.route('2', withOrgId(medium));
      expect(standing(w, '2').assigned).toEqual([binh]);
    },
  );

  test('after a failure somebody is seen who has it, though the ticket names nobody', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.failNext('assignments.add');
    await expect(w.run('1')).rejects.toBeInstanceOf(HelpdeskError);
    w.desk.personAssigns('1', linh);
    showAll(w);
    const { read: readPipelineTicket } = w.desk.helpdesk.tickets;
    w.desk.helpdesk.tickets.read = async (...args) => ({ ...(await readPipelineTicket(...args)), assignees: [] });
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [linh] });
    expect(w.desk.writes.some((write) => write.startsWith('assign'))).toBe(false);
  });

  test('an assignment that the helpdesk took and does not have is made again, to the same agent', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    const { add: assign } = w.desk.helpdesk.assignments;
    w.desk.helpdesk.assignments.add = async () => {
      w.desk.helpdesk.assignments.add = assign;
    };
    const message = expect.stringContaining('does not have it');
    await expect(w.run('1')).rejects.toMatchObject({ kind: 'bad_answer', message });
    expect((await w.decided('1'))?.state).toBe('planned');
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [an] });
  });

  test('a crash after the write of the group is made up for without another write', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.before('link', () => w.desk.failNext('tickets.write', new HelpdeskError('timeout', 'late'), 'after'));
    await expect(w.run('1')).rejects.toBeInstanceOf(HelpdeskError);
    const writes = w.desk.writes.length;
    await w.run('1');
    expect(w.desk.writes).toHaveLength(writes);
    expect((await w.decided('1'))?.state).toBe('applied');
  });

  test.each<[string, Deed]>([
    ['at that moment', (w) => w.desk.before('assign', () => nativeAssigns(w))],
    ['before we try again', ({ desk }) => desk.failNext('assignments.add')],
  ])('whom a native rule assigns %s has a ticket that was in no group', async (_, deed) => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    showAll(w);
    deed(w);
    await w.run('1').catch(() => nativeAssigns(w));
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [linh] });
    expect((await w.decided('1'))?.assignment.state).toBe('already_assigned');
  });

  test('whom a native rule of the new team assigned before a crash has it, and is not taken off', async () => {
    const w = pipelineWorld();
    showAll(w);
    w.desk.goAway(an, binh);
    w.desk.useNativeRule(scale);
    const { key } = w.desk.insert('1', withOrgId(medium, { agent_group: grow }));
    await decisions.keepPreliminary(w.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
    w.desk.before('link', () => w.desk.failNext('tickets.write', new HelpdeskError('timeout', 'late'), 'after'));
    await w.run('1').catch(() => {});
    const { assigned } = standing(w, '1');
    await w.run('1');
    expect([assigned.length, standing(w, '1').assigned]).toEqual([1, assigned]);
    expect((await w.decided('1'))?.assignment.state).toBe('already_assigned');
  });

  test('two of ours for the same agent become one', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.failNext('assignments.add');
    await w.run('1').catch(() => {});
    for (const _ of [1, 2]) w.desk.personAssigns('1', an, service, ours);
    await w.run('1');
    expect(standing(w, '1').assigned).toEqual([an]);
  });

  test('what another installation gives to somebody else at that moment is not taken for that of our agent', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.before('assign', () => w.desk.personAssigns('1', binh, service, ours));
    await w.run('1');
    expect(standing(w, '1').assigned).toContain(an);
    expect(await w.decided('1')).toMatchObject({ assignment: { state: 'assigned', agent: an } });
  });

  test('a group that somebody sets after a crash stays, and who was planned has had their turn', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.failNext('assignments.add');
    await w.run('1').catch(() => {});
    w.desk.personSetsGroup('1', grow);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: grow, assigned: [] });
    expect(await w.decided('1')).toMatchObject({ state: 'overruled', assignment: { state: 'withdrawn', agent: an } });
  });

  test('a new ticket’s assignments are read once, and not at all where nobody is there to have it', async () => {
    const w = pipelineWorld();
    await w.route('1', withOrgId(medium));
    w.desk.goAway(an, binh);
    await w.route('2', withOrgId(medium));
    const asked = w.desk.calls.filter((call) => call.startsWith('assignments.'));
    expect(asked).toEqual(['assignments.add', 'assignments.list', 'assignments.users']);
  });
});

test('a target team that does not exist, or is disabled: no group, a fault, and another look later', async () => {
  for (const [disabled, why] of [
    [null, 'does not exist'],
    [true, 'is disabled'],
  ] as const) {
    const w = pipelineWorld();
    const said = vi.spyOn(w.ctx.logger, 'info');
    if (disabled === null) w.desk.removeTeam(scale);
    else w.desk.setTeam(scale, [an], { disabled });
    w.desk.insert('1', withOrgId(medium));
    const again = await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: null, assigned: [] });
    expect(standing(w, '1').reason).toMatch(
      new RegExp(`^Routing skipped: target team ${scale} ${why}\\. Auto-routed: `),
    );
    expect(w.desk.routingOf('1')).toMatchObject({
      status: 'API Error',
      error: `Routing: target team ${scale} ${why}.`,
    });
    const fault = { fault: 'target_team_missing', team: scale, ticket: '1' };
    expect(w.countedAgents).toEqual([]);
    await w.route('2', {});
    expect(standing(w, '2').group).toBe(cs);
    expect(w.faultFields).toEqual([fault]);
    expect(again).not.toBeNull();
    w.clock.advance(60_000);
    expect(await w.run('1')).not.toBeNull();
    expect(await w.decisionsOn('1')).toHaveLength(1);
    w.desk.setTeam(scale, [an]);
    w.clock.advance(60_000);
    expect(await w.run('1')).toBeNull();
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [an] });
    expect(w.desk.routingOf('1')).toMatchObject({ status: 'Complete', error: null });
    const ended = { fault_ended: 'target_team_missing' };
    expect(w.faultFields).toEqual([fault, ended]);
    expect(w.complaints).toEqual(['The target team of a ticket cannot be used']);
    expect(said.mock.calls).toContainEqual([ended, 'The target team of a ticket can be used again']);
    expect(w.countedAgents).toEqual(['2', '1']);
  }
});

test('a target team that does not exist leaves the group that a ticket had from before the insert', async () => {
  const w = pipelineWorld();
  w.desk.removeTeam(scale);
  const { key } = w.desk.insert('1', withOrgId(medium, { agent_group: grow }));
  await decisions.keepPreliminary(w.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group: grow, reason: expect.stringMatching(/^Routing skipped: /) });
});

test.each<[string, 'hold' | 'accept', string | null, boolean]>([
  ['without one at the insert', 'hold', null, false],
  ['without one at the insert, where claims are accepted', 'accept', null, false],
  ['with another one at the insert', 'hold', cs, false],
  ['while the ticket is being routed', 'hold', null, true],
])(
  'a group that sender, or a flow as the sender, sets after the insert is kept as theirs: %s',
  async (_, claims, inserted, isMeanwhile) => {
    const w = pipelineWorld({ claims, ticket: withOrgId(medium, { ...byStranger, agent_group: inserted }) });
    const flowSets = () => w.desk.changes('1', stranger, { agent_group: grow });
    if (isMeanwhile) w.desk.before('route', flowSets);
    else flowSets();
    await w.run('1');
    const reason = `${isMeanwhile ? 'Manual routing kept' : 'Group kept as the sender chose it'}: ${grow}.`;
    expect(standing(w, '1')).toMatchObject({ group: grow, reason, assigned: [] });
    if (isMeanwhile) expect(await w.decided('1')).toMatchObject({ state: 'overruled' });
  },
);

test('a group with which an agent made the ticket is kept as a person’s, one with which the sender did as theirs', async () => {
  const reasonOf = async (owner: string) => {
    const made = { owner, raised_by: stranger, agent_group: grow };
    const w = pipelineWorld({ ticket: withOrgId(medium, made) });
    await w.run('1');
    return [standing(w, '1').group, standing(w, '1').reason];
  };
  expect(await reasonOf(an)).toEqual([grow, `Manual routing kept: ${grow}.`]);
  expect(await reasonOf(stranger)).toEqual([grow, `Group kept as the sender chose it: ${grow}.`]);
});

test('a group that was decided before the insert and reset by the site is set by the pipeline', async () => {
  const w = pipelineWorld();
  const { key } = w.desk.insert('1', withOrgId(medium));
  await decisions.keepPreliminary(w.db, { key: String(key), team: scale, reason: 'Auto-routed: x', at: 0 });
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [an] });
});

test.each([true, false])(
  'a group from before the insert moves to the right one unless an agent has replied: %s',
  async (isReplied) => {
    const w = pipelineWorld();
    const { key } = w.desk.insert('1', withOrgId(medium, { agent_group: grow }));
    await decisions.keepPreliminary(w.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
    if (isReplied) w.desk.personReplies('1');
    await w.run('1');
    expect(standing(w, '1')).toMatchObject(
      isReplied ? { group: grow, assigned: [] } : { group: scale, assigned: [an] },
    );
  },
);

test('one in which a native rule gave the ticket to somebody, whose ToDo the service is not shown, moves as well', async () => {
  const w = pipelineWorld();
  w.desk.useNativeRule(grow);
  const { key } = w.desk.insert('1', withOrgId(medium, { owner: sender, agent_group: grow }));
  await decisions.keepPreliminary(w.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
  expect(standing(w, '1').assigned).toEqual(['dung@desk.example']);
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [an], reason: expect.stringContaining(scale) });
  expect(await w.decided('1')).toMatchObject({ cause: 'before_insert', state: 'applied' });
});

test('one that is right is no move: an answer at that moment keeps nobody from having the ticket', async () => {
  const w = pipelineWorld();
  const { key } = w.desk.insert('1', withOrgId(medium, { agent_group: scale }));
  await decisions.keepPreliminary(w.db, { key: String(key), team: scale, reason: 'Auto-routed: x', at: 0 });
  w.desk.before('route', () => w.desk.personReplies('1'));
  await w.run('1');
  expect(await w.decided('1')).toMatchObject({ cause: 'before_insert', state: 'applied' });
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [an] });
});

test('a group from before the insert in which an agent replied at that moment stays, also once the claim is confirmed', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  const { key } = w.desk.insert('1', withOrgId(medium, { ...byStranger, agent_group: grow }));
  await decisions.keepPreliminary(w.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
  w.desk.before('route', () => w.desk.personReplies('1'));
  await w.run('1');
  expect(await w.decided('1')).toMatchObject({ cause: 'before_insert', state: 'overruled' });
  w.clock.advance(1_000);
  await w.sync('1', medium);
  await w.run('1');
  expect(await w.decided('1')).toMatchObject({ cause: 'confirmed', state: 'applied' });
  expect(standing(w, '1').group).toBe(grow);
});

test.each(['before', 'after'] as const)(
  'who was planned for a ticket that an agent took up has it only if it was given to them: crash %s the assignment',
  async (when) => {
    const w = pipelineWorld({ claims: 'hold' });
    const { key } = w.desk.insert('1', withOrgId(medium, { ...byStranger, agent_group: grow }));
    await decisions.keepPreliminary(w.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
    w.desk.failNext('assignments.add', new HelpdeskError('timeout', 'late'), when);
    await expect(w.run('1')).rejects.toBeInstanceOf(HelpdeskError);
    const agent = (await w.decided('1'))?.assignment.agent;
    w.desk.personReplies('1');
    await w.process().run('1');
    const given = { assigned: when === 'after' ? [agent] : [], group: grow };
    const assignment = { state: when === 'after' ? 'assigned' : 'withdrawn', agent };
    expect(standing(w, '1')).toMatchObject(given);
    expect(await w.decided('1')).toMatchObject({ state: 'overruled', assignment });
    w.clock.advance(1_000);
    await w.sync('1', medium);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject(given);
    expect(await w.decided('1')).toMatchObject({ cause: 'confirmed', assignment });
  },
);

describe('a helpdesk that refuses assignees outside the ticket’s team', () => {
  test.each<[string, Deed]>([
    ['gets the group first, and then the assignment', () => {}],
    ['what a native rule assigns in between is withdrawn', ({ desk }) => desk.useNativeRule(scale)],
    [
      'a crash between group and assignment is made up for',
      ({ desk }) => desk.before('route', () => desk.failNext('assignments.add')),
    ],
  ])('%s: one agent has it, whose turn it is', async (_, deed) => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.simulator.settings.refusesAssigneesOutsideTeam = true;
    deed(w);
    await w.run('1').catch(() => {});
    await w.process().run('1');
    const verbs = w.desk.writes
      .map((write) => write.split(' ')[0])
      .filter((verb) => verb === 'route' || verb === 'assign');
    expect(verbs.slice(0, 2)).toEqual(['route', 'assign']);
    expect(standing(w, '1')).toMatchObject({
      group: scale,
      assigned: [an],
      reason: expect.stringMatching(/^Auto-routed: /),
    });
    expect(await w.decided('1')).toMatchObject({ assignment: { state: 'assigned', agent: an } });
  });

  test.each<[string, Deed]>([
    ['that it had from before the insert', () => {}],
    [
      'that somebody takes away at that moment',
      ({ desk }) => desk.before('assign', () => desk.personSetsGroup('1', null)),
    ],
  ])('moves a ticket out of the group %s', async (_, deed) => {
    const w = pipelineWorld();
    w.desk.simulator.settings.refusesAssigneesOutsideTeam = true;
    const { key } = w.desk.insert('1', withOrgId(medium, { agent_group: grow }));
    await decisions.keepPreliminary(w.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
    deed(w);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [an] });
  });

  test('leaves it with whom a person gives it to once it has the group', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.desk.simulator.settings.refusesAssigneesOutsideTeam = true;
    showAll(w);
    const { assignments } = w.desk.helpdesk;
    const { list } = assignments;
    assignments.list = (...asked) => {
      assignments.list = list;
      w.desk.personAssigns('1', binh);
      return list(...asked);
    };
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [binh] });
  });

  test.each<[string, string | null, Deed]>([
    [
      'an agent of its team all the same',
      scale,
      ({ desk }) => desk.failNext('assignments.add', new HelpdeskError('rejected', '')),
    ],
    [
      'in the group that somebody has just set',
      grow,
      ({ desk }) => desk.before('assign', () => desk.personSetsGroup('1', grow)),
    ],
  ])('%s: nothing is written, and it is tried again', async (_, group, deed) => {
    const w = pipelineWorld();
    w.desk.simulator.settings.refusesAssigneesOutsideTeam = true;
    const { key } = w.desk.insert('1', withOrgId(medium, { agent_group: group === scale ? scale : null }));
    await decisions.keepPreliminary(w.db, { key: String(key), team: scale, reason: 'Auto-routed: x', at: 0 });
    deed(w);
    await expect(w.run('1')).rejects.toMatchObject({ kind: 'rejected' });
    expect(standing(w, '1')).toMatchObject({ group, assigned: [] });
    expect(w.desk.writes.filter((write) => write.startsWith('route'))).toEqual([]);
  });
});
