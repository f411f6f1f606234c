import { describe, expect, test } from 'vitest';
import { medium, small } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import * as decisions from '#store/decisions.ts';
import * as deskList from '#store/desk-list.ts';
import { service } from '#testing/desk-seed.ts';
import { byStranger, type PipelineWorld, pipelineWorld, standing, stranger, withOrgId } from '#testing/pipeline-kit.ts';
import { routeTicket } from './pipeline.ts';
import { whenToRepair } from './retry.ts';
import { decisionDraft } from './testing/decision-draft.ts';
import { cs, scale } from './testing/pipeline-rules.ts';

const minute = 60_000;

/** A ticket that was routed while the CRM was down. */
async function fallen(orgId = medium, world = pipelineWorld()): Promise<PipelineWorld> {
  world.crm.isDown = true;
  world.desk.insert('1', withOrgId(orgId));
  const again = await world.run('1');
  expect(again).toBe(world.clock() + minute);
  expect(standing(world, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
  return world;
}

/** The CRM answers again when the ticket is due. */
function runOnceMended(w: PipelineWorld): Promise<number | null> {
  w.crm.isDown = false;
  w.clock.advance(minute);
  return w.run('1');
}

describe('a ticket that fell back because the CRM failed (docs/decisions.md 23)', () => {
  test('is right once the CRM answers: team, agent and both reasons', async () => {
    const w = await fallen();
    const first = standing(w, '1').reason;
    expect(await runOnceMended(w)).toBeNull();
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toBe(
      `Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=hd_customer. Target team=${scale}. Before: ${first}`,
    );
    const [repaired, before] = await w.decisionsOn('1');
    expect(repaired).toMatchObject({
      number: 2,
      cause: 'repair',
      repairs: 'crm',
      outcome: { status: 'Complete', fallback: null },
    });
    expect(before).toMatchObject({ number: 1, outcome: { status: 'API Error', fallback: 'crm', reason: first } });
  });

  test('is right at once also where its customer cannot be written', async () => {
    const w = await fallen();
    w.desk.failNext('customers.create', new HelpdeskError('bad_answer', 'a page'));
    await runOnceMended(w);
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: null });
  });

  test('stays with its agent where the team is right already', async () => {
    const w = await fallen(small);
    await runOnceMended(w);
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    expect(w.desk.assignmentsOf('1')).toHaveLength(1);
    expect(w.countedAgents).toEqual(['1']);
    expect((await w.decided('1'))?.assignment).toMatchObject({
      state: 'assigned',
      agent: 'hoa@desk.example',
    });
  });

  test('goes to the same agent in the right team, by an assignment that names it', async () => {
    const w = await fallen();
    w.desk.setTeam(scale, ['hoa@desk.example']);
    await runOnceMended(w);
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['hoa@desk.example'] });
    const open = w.desk.assignmentsOf('1').filter(({ status }) => status === 'Open');
    expect(open.map(({ description }) => description)).toEqual([expect.stringContaining(scale)]);
  });

  test('loses its agent of before to a group that somebody sets while it is decided again', async () => {
    const w = await fallen(small);
    w.desk.before('route', () => w.desk.personSetsGroup('1', 'Medium - Grow'));
    await runOnceMended(w);
    expect(standing(w, '1')).toMatchObject({ group: 'Medium - Grow', assigned: [] });
    expect(await w.decided('1')).toMatchObject({ state: 'overruled', assignment: { state: 'withdrawn' } });
  });

  test('is done with where somebody deletes it at that moment', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.crm.isDown = true;
    w.desk.before('route', () => w.desk.remove('HD Ticket', '1'));
    expect(await w.run('1')).toBeNull();
  });

  test('costs the helpdesk nothing while the CRM is down; it is asked less often after an hour, and no more after a day', async () => {
    const w = await fallen();
    const { reads } = w.desk;
    for (let tries = 1; tries <= 5; tries += 1) {
      w.clock.advance(minute);
      expect(await w.run('1')).toBe(w.clock() + minute);
    }
    w.clock.advance(55 * minute);
    expect(await w.run('1')).toBe(w.clock() + 10 * minute);
    expect(w.desk.reads).toBe(reads);
    expect(await w.decisionsOn('1')).toHaveLength(1);
    w.clock.advance(24 * 60 * minute);
    expect(await w.run('1')).toBeNull();
    expect(await runOnceMended(w)).toBeNull();
    expect(await w.decisionsOn('1')).toHaveLength(1);
  });

  test('is carried out while the CRM is still down, where that has failed', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    w.crm.isDown = true;
    w.desk.failNext('assignments.add');
    await w.run('1').catch(() => {});
    expect(await w.process().run('1')).toBe(w.clock() + minute);
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
  });

  test('is decided by what there is where no CRM is configured any more', async () => {
    const w = await fallen();
    w.clock.advance(minute);
    const work = { ...w.desk.keyOf('1'), foundBy: 'sweep', since: w.clock(), attempts: 0, revision: 1 } as const;
    await routeTicket({ ...w.ctx, crm: null }, work);
    expect((await w.decided('1'))?.inputs.crm?.status).toBe('missing_config');
  });

  test('asks the CRM for nothing that it has answered since', async () => {
    const w = await fallen(medium, pipelineWorld({ ttlMinutes: 60 }));
    w.crm.isDown = false;
    await w.route('2', withOrgId(medium));
    const { length } = w.crm.asked;
    w.clock.advance(minute);
    expect(await w.run('1')).toBeNull();
    expect(standing(w, '1').group).toBe(scale);
    expect(w.crm.asked).toHaveLength(length);
  });

  test('keeps the group that a person had given it before it was decided', async () => {
    const w = pipelineWorld();
    w.crm.isDown = true;
    w.desk.insert('1', withOrgId(medium));
    await w.hear('1');
    w.desk.personSetsGroup('1', cs);
    await w.run('1');
    expect(standing(w, '1').reason).toBe(`Manual routing kept: ${cs}.`);
    await runOnceMended(w);
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: [] });
    expect((await w.decided('1'))?.outcome).toMatchObject({ team: null, fallback: null });
  });

  test('is left alone where another person has changed the group that one had given it', async () => {
    const w = pipelineWorld();
    w.crm.isDown = true;
    await w.route('1', withOrgId(medium, { owner: 'an@desk.example', agent_group: cs }));
    w.desk.personSetsGroup('1', 'Medium - Grow');
    await runOnceMended(w);
    expect(await w.decisionsOn('1')).toHaveLength(1);
  });

  test('keeps the group that a person gave it while it was being decided, and it was the same one', async () => {
    const w = pipelineWorld();
    w.crm.isDown = true;
    w.crm.whileAsking = () => w.desk.personSetsGroup('1', cs);
    await w.route('1', withOrgId(medium));
    expect(standing(w, '1').group).toBe(cs);
    w.crm.whileAsking = () => {};
    await runOnceMended(w);
    expect(standing(w, '1').group).toBe(cs);
    expect(await w.decisionsOn('1')).toHaveLength(1);
  });

  test.each([null, cs])(
    'keeps the group that its sender chose since, and gets its customer (before: %s)',
    async (before) => {
      const w = pipelineWorld();
      w.crm.isDown = true;
      await w.route('1', withOrgId(medium, { ...byStranger, agent_group: before }));
      w.desk.personSetsGroup('1', 'Medium - Grow', stranger);
      expect(await runOnceMended(w)).toBeNull();
      expect(standing(w, '1').group).toBe('Medium - Grow');
      expect((await w.decided('1'))?.outcome).toMatchObject({ fallback: null, status: 'Complete' });
      expect(w.desk.ticket('1')?.customer).toContain(medium);
    },
  );

  test('a native assignment is no touch, and is moved along', async () => {
    const w = pipelineWorld();
    w.desk.goAway('hoa@desk.example', 'khoa@desk.example', 'linh@desk.example');
    w.desk.useNativeRule(cs);
    w.crm.isDown = true;
    await w.route('1', withOrgId(medium));
    expect(standing(w, '1')).toMatchObject({ group: cs, assigned: ['hoa@desk.example'] });
    await runOnceMended(w);
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test.each<[string, (w: PipelineWorld) => void]>([
    ['replied', (w) => w.desk.personReplies('1')],
    ['changed the status', (w) => w.desk.personSetsStatus('1', 'Resolved')],
    ['changed the group', (w) => w.desk.personSetsGroup('1', 'Medium - Grow')],
    ['changed it with our account', (w) => w.desk.personSetsGroup('1', 'Medium - Grow', service)],
    ['took the group away', (w) => w.desk.personSetsGroup('1', null)],
    [
      'moved it away and back',
      (w) => {
        w.desk.personSetsGroup('1', 'Medium - Grow');
        w.desk.personSetsGroup('1', cs);
      },
    ],
    ['assigned somebody else as well', (w) => w.desk.personAssigns('1', 'linh@desk.example')],
    [
      'gave it to somebody else',
      (w) => {
        w.desk.personUnassigns('1');
        w.desk.personAssigns('1', 'linh@desk.example');
      },
    ],
    ['took our assignment away', (w) => w.desk.personUnassigns('1')],
  ])('is left alone for good once somebody has %s', async (_, touch) => {
    const w = await fallen();
    touch(w);
    const before = standing(w, '1');
    expect(await runOnceMended(w)).toBeNull();
    expect(standing(w, '1')).toEqual(before);
    expect(await w.decisionsOn('1')).toHaveLength(1);
  });

  test.each(['assignments.withdraw', 'assignments.add', 'tickets.write'] as const)(
    'a crash at %s in mid-repair is made up for',
    async (at) => {
      for (const when of ['before', 'after'] as const) {
        const w = await fallen();
        w.crm.isDown = false;
        w.clock.advance(minute);
        w.desk.failNext(at, undefined, when);
        await w.run('1').catch(() => {});
        await w.process().run('1');
        expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
        expect(await w.decisionsOn('1')).toHaveLength(2);
      }
    },
  );
});

test('a ticket whose shop could not be reached is looked at again, and right once it can', async () => {
  const w = pipelineWorld();
  w.shops.set('tiemhoamau.example', 'timeout');
  expect(await w.route('1', withOrgId(null, { custom_store_url: 'tiemhoamau.example' }))).toBe(w.clock() + minute);
  w.clock.advance(minute);
  expect(await w.run('1')).toBe(w.clock() + minute);
  expect(await w.decisionsOn('1')).toHaveLength(1);
  w.shops.set('tiemhoamau.example', { orgId: medium });
  w.clock.advance(minute);
  expect(await w.run('1')).toBeNull();
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
});

test('a shop that stays away is asked ever more seldom, but every two hours', async () => {
  const w = pipelineWorld();
  w.shops.set('tiemhoamau.example', 'timeout');
  await w.route('1', withOrgId(null, { custom_store_url: 'tiemhoamau.example' }));
  const pauses: number[] = [];
  for (const age of [30, 90, 180, 600]) {
    w.clock.advance(age * minute - (w.clock() - Date.parse((await w.decided('1'))?.decided_at ?? '')));
    pauses.push(((await w.run('1')) ?? 0) - w.clock());
  }
  expect(pauses.map((ms) => ms / minute)).toEqual([30, 90, 120, 120]);
});

describe('somebody takes the ticket up while it is being decided again', () => {
  const [an, binh] = ['an@desk.example', 'binh@desk.example'];

  test.each<[string, (w: PipelineWorld) => void, object, string]>([
    ['an answer', (w) => w.desk.personReplies('1'), { state: 'withdrawn', agent: an }, binh],
    ['another status', (w) => w.desk.personSetsStatus('1', 'Resolved'), { state: 'withdrawn', agent: an }, binh],
    ['an assignment', (w) => w.desk.personAssigns('1', 'linh@desk.example'), { state: 'already_assigned' }, an],
  ])(
    '%s: it stays as they left it, and whoever was planned for it has had their turn',
    async (_, touch, assignment, next) => {
      const w = await fallen();
      w.crm.isDown = false;
      w.clock.advance(minute);
      let asked = 0;
      w.crm.whileAsking = () => {
        asked += 1;
        if (asked === 2) touch(w);
      };
      expect(await w.run('1')).toBeNull();
      expect(standing(w, '1').group).toBe(cs);
      expect(standing(w, '1').assigned).toContain('hoa@desk.example');
      expect(await w.decided('1')).toMatchObject({ state: 'overruled', assignment });
      expect(await w.process().run('1')).toBeNull();
      await w.route('2', withOrgId(medium));
      expect(standing(w, '2').assigned).toEqual([next]);
    },
  );
});

test('a repair into a team where nobody is available takes the ticket from the old team’s agent', async () => {
  const w = await fallen();
  w.desk.goAway('an@desk.example', 'binh@desk.example');
  await runOnceMended(w);
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: [] });
  w.desk.comeBack('an@desk.example');
  expect(await w.assignWaiting()).toBe(1);
  expect(standing(w, '1').assigned).toEqual(['an@desk.example']);
  expect(standing(w, '1').reason).not.toContain('Nobody is available');
});

test('a shop that never answers is asked ever more seldom, and no more after a day', async () => {
  const w = pipelineWorld();
  w.shops.set('tiemhoamau.example', 'timeout');
  w.desk.insert('1', withOrgId(null, { custom_store_url: 'tiemhoamau.example' }));
  let tries = 0;
  for (let again = await w.run('1'); again !== null; again = await w.run('1')) {
    w.clock.advance(again - w.clock());
    tries += 1;
  }
  expect(tries).toBeLessThan(25);
});

test('a reason that names a company is not repeated once nobody vouches for it any more', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.removeTeam(scale);
  const company = { customer: 'Boss', orgId: medium, crmCompanyId: '63001', by: 'truong', at: 1 } as const;
  await deskList.listPeople(w.db, { ...company, people: [stranger] });
  await w.route('1', withOrgId(medium, byStranger));
  expect(standing(w, '1').reason).toMatch(/^Routing skipped: .* Customer Segment=Medium/);
  await deskList.unlistPeople(w.db, 'Boss', medium, w.clock());
  w.desk.setsCustomer('1', null);
  w.desk.setTeam(scale, ['an@desk.example']);
  w.clock.advance(minute);
  await w.run('1');
  expect(standing(w, '1').reason).toMatch(/^Auto-routed: unconfirmed OrgID\. (?!.*Before:)/);
});

test('what was decided again is asked about for a day after the first decision, not after each', async () => {
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  const at = (ms: number) => new Date(w.clock() + ms).toISOString();
  const creation = { ticket_creation: w.desk.keyOf('1').creation };
  for (const number of [0, 1, 2])
    await decisions.add(w.db, { ...decisionDraft('1', creation), decided_at: at(number * 3_600_000) }, number, null);
  const latest = async () => whenToRepair(w.ctx, (await w.decided('1')) ?? expect.fail());
  w.clock.advance(86_400_000);
  expect(await latest()).toBeGreaterThan(w.clock());
  w.clock.advance(1);
  expect(await latest()).toBeNull();
});
