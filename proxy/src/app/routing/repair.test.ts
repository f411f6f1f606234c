import { describe, expect, test } from 'vitest';
import { medium, small } from '#app/testing/pipeline/pipeline-crm.ts';
import { type PipelineWorld, pipelineWorld, standing, storeAt, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';

const minute = 60_000;

/** A ticket that was routed while the CRM was down. */
async function fallen(orgId = medium, world = pipelineWorld()): Promise<PipelineWorld> {
  world.crmDown = true;
  world.tickets.insert('1', withOrgId(orgId));
  const { again } = await world.run('1');
  expect(again).toBe(world.clock() + minute);
  expect(standing(world, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
  return world;
}

describe('a ticket that fell back because the CRM failed (docs/decisions.md 26)', () => {
  test('is right once the CRM answers: team, agent and both reasons', async () => {
    const w = await fallen();
    const first = standing(w, '1').reason;
    w.crmDown = false;
    w.clock.advance(minute);
    expect(await w.run('1')).toEqual({ again: null });
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toBe(
      `Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=hd_customer. Target team=${scale}. Before: ${first}`,
    );
    const [repaired, before] = await w.decisions.list('1');
    expect(repaired).toMatchObject({
      number: 2,
      cause: 'repair',
      repairs: 'crm',
      outcome: { status: 'Complete', fallback: null },
    });
    expect(before).toMatchObject({ number: 1, outcome: { status: 'API Error', fallback: 'crm', reason: first } });
  });

  test('is right also where the helpdesk then cannot write the customer', async () => {
    const w = await fallen();
    w.crmDown = false;
    w.clock.advance(minute);
    const name = `Shop ${medium} - ${medium}`;
    w.records.customers.set(name, { platformOrgId: medium });
    w.tickets.customers.push({ name, segment: null, shopPlan: null, checkedAt: null });
    w.records.failure = new HelpdeskError('bad_answer', 'not JSON');
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'], customer: null });
    expect((await w.decisions.latest('1'))?.outcome).toMatchObject({ status: 'Complete', segment_source: 'crm' });
  });

  test('stays with its agent where the team is right already', async () => {
    const w = await fallen(small);
    w.crmDown = false;
    w.clock.advance(minute);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    expect(w.tickets.assignments).toHaveLength(1);
    expect((await w.decisions.latest('1'))?.assignment).toMatchObject({ state: 'assigned', agent: 'hoa@desk.example' });
  });

  test('costs the helpdesk nothing while the CRM is still down', async () => {
    const w = await fallen();
    const { reads } = w.tickets;
    for (let tries = 1; tries <= 5; tries += 1) {
      w.clock.advance(minute);
      expect((await w.run('1')).again).toBe(w.clock() + minute);
    }
    expect(w.tickets.reads).toBe(reads);
    expect(await w.decisions.list('1')).toHaveLength(1);
  });

  test('is asked for less often after an hour, and no more after a week', async () => {
    const w = await fallen();
    w.clock.advance(61 * minute);
    expect((await w.run('1')).again).toBe(w.clock() + 10 * minute);
    w.clock.advance(8 * 24 * 60 * minute);
    expect(await w.run('1')).toEqual({ again: null });
  });

  test('a native assignment is no touch, and is moved along', async () => {
    const w = pipelineWorld();
    w.tickets.addTeam(cs, []);
    const crowd = w.tickets.addTeam(cs, ['hoa@desk.example', 'khoa@desk.example']);
    for (const member of crowd.members) member.availability = 'unavailable';
    w.tickets.nativeRules.add(cs);
    w.crmDown = true;
    w.tickets.insert('1', withOrgId(medium));
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    w.crmDown = false;
    w.clock.advance(minute);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test.each<[string, (w: PipelineWorld) => void]>([
    ['replied', (w) => w.tickets.personReplies('1')],
    ['changed the status', (w) => w.tickets.personSetsStatus('1', 'Resolved')],
    ['changed the group', (w) => w.tickets.personSetsGroup('1', 'Medium - Grow')],
    ['took the group away', (w) => w.tickets.personSetsGroup('1', null)],
    ['assigned somebody else as well', (w) => void w.tickets.personAssigns('1', 'linh@desk.example')],
    [
      'gave it to somebody else',
      (w) => {
        for (const assignment of w.tickets.assignments) assignment.open = false;
        w.tickets.personAssigns('1', 'linh@desk.example');
      },
    ],
    [
      'took our assignment away',
      (w) => {
        for (const assignment of w.tickets.assignments) assignment.open = false;
      },
    ],
  ])('is left alone for good once somebody has %s', async (_, touch) => {
    const w = await fallen();
    touch(w);
    const before = standing(w, '1');
    w.crmDown = false;
    w.clock.advance(minute);
    expect(await w.run('1')).toEqual({ again: null });
    expect(standing(w, '1')).toEqual(before);
    expect(await w.decisions.list('1')).toHaveLength(1);
  });

  test.each(['withdraw', 'assign', 'writeRouting'] as const)(
    'a crash at %s in mid-repair is made up for',
    async (at) => {
      for (const when of ['before', 'after'] as const) {
        const w = await fallen();
        w.crmDown = false;
        w.clock.advance(minute);
        w.tickets.failNext(at, undefined, when);
        await w.run('1').catch(() => {});
        await w.process().run('1');
        expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
        expect(await w.decisions.list('1')).toHaveLength(2);
      }
    },
  );
});

test('a ticket whose shop could not be reached is looked at again, and right once it can', async () => {
  const w = pipelineWorld();
  w.shops.set('tiemhoamau.example', 'timeout');
  w.tickets.insert('1', { ...withOrgId(null), intakeFields: storeAt('tiemhoamau.example') });
  expect((await w.run('1')).again).toBe(w.clock() + minute);
  w.clock.advance(minute);
  expect((await w.run('1')).again).toBe(w.clock() + minute);
  expect(await w.decisions.list('1')).toHaveLength(1);
  w.shops.set('tiemhoamau.example', { orgId: medium });
  w.clock.advance(minute);
  expect(await w.run('1')).toEqual({ again: null });
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
});

describe('somebody takes the ticket up while it is being decided again', () => {
  test.each<[string, (w: PipelineWorld) => void]>([
    ['an answer', (w) => w.tickets.personReplies('1')],
    ['another status', (w) => w.tickets.personSetsStatus('1', 'Resolved')],
    ['an assignment', (w) => void w.tickets.personAssigns('1', 'linh@desk.example')],
  ])('%s: it stays as they left it', async (_, touch) => {
    const w = await fallen();
    w.crmDown = false;
    w.clock.advance(minute);
    let asked = 0;
    w.whileAsking = () => {
      asked += 1;
      if (asked === 2) touch(w);
    };
    expect(await w.run('1')).toEqual({ again: null });
    expect(standing(w, '1').group).toBe(cs);
    expect(standing(w, '1').assigned).toContain('hoa@desk.example');
    expect((await w.decisions.latest('1'))?.state).toBe('overruled');
    expect(await w.process().run('1')).toEqual({ again: null });
  });
});

test('a repair into a team where nobody is available takes the ticket from the old team’s agent', async () => {
  const w = await fallen();
  const team = w.tickets.addTeam(scale, [{ user: 'an@desk.example', state: 'ready', availability: 'unavailable' }]);
  w.crmDown = false;
  w.clock.advance(minute);
  await w.run('1');
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [] });
  for (const member of team.members) member.availability = 'active';
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, '1').assigned).toEqual(['an@desk.example']);
  expect(standing(w, '1').reason).not.toContain('Nobody is available');
});

test('a team that is missing at the repair is found again later', async () => {
  const w = await fallen();
  w.tickets.teams.delete(scale);
  w.crmDown = false;
  w.clock.advance(minute);
  expect((await w.run('1')).again).not.toBeNull();
  expect(standing(w, '1').group).toBe(cs);
  w.tickets.addTeam(scale, ['an@desk.example']);
  w.clock.advance(minute);
  expect(await w.run('1')).toEqual({ again: null });
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
});

test('a shop that never answers is asked ever more seldom, and no more after a day', async () => {
  const w = pipelineWorld();
  w.shops.set('tiemhoamau.example', 'timeout');
  w.tickets.insert('1', { ...withOrgId(null), intakeFields: storeAt('tiemhoamau.example') });
  let tries = 0;
  for (let { again } = await w.run('1'); again !== null; { again } = await w.run('1')) {
    w.clock.advance(again - w.clock());
    tries += 1;
  }
  expect(tries).toBeLessThan(25);
});
