import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { matched, medium, sampleCompany, small } from '#crm/testing/sample-companies.ts';
import type { HelpdeskError } from '#helpdesk/errors.ts';
import * as decisions from '#store/decisions.ts';
import * as tickets from '#store/tickets.ts';
import { type callerOf, mailOf, sender, service } from '#testing/desk-seed.ts';
import { byStranger, type PipelineWorld, pipelineWorld, withOrgId } from '#testing/pipeline-kit.ts';
import { callBy } from '#testing/test-context.ts';
import { decisionDraft } from './testing/decision-draft.ts';
import { cs, grow, scale } from './testing/pipeline-rules.ts';
import { today } from './today.ts';

const day = 86_400_000;
const [an, binh, hoa, khoa, linh] = [mailOf('an'), mailOf('binh'), mailOf('hoa'), mailOf('khoa'), mailOf('linh')];

/** The day that it is, in UTC. */
const dayOf = ({ clock }: Pick<PipelineWorld, 'clock'>) => {
  const from = Math.floor(clock() / day) * day;
  return { from, to: from + day };
};

/** What somebody is told of today. */
const told = (world: PipelineWorld, who: Parameters<typeof callerOf>[0] = 'chi', changes = {}, rows?: number) =>
  today(callBy({ ...world.ctx, ...changes }, who), { ...dayOf(world), rows });

/** Tickets of these names, taken to their end one after another. */
async function route(world: PipelineWorld, names: string[], values: Record<string, unknown> = {}) {
  for (const name of names) {
    world.desk.insert(name, values);
    await world.run(name);
  }
}

/** Agents see the tickets of their own teams alone; our account sees all, as it has to. */
function keepTeamsApart({ desk }: PipelineWorld) {
  desk.simulator.settings.restrictTicketsByAgentGroup = true;
  desk.put('HD Team', 'Service', { team_name: 'Service', ignore_restrictions: 1, users: [{ user: service }] });
}

test('nobody is told of a day before yesterday', async () => {
  const world = pipelineWorld();
  const { from, to } = dayOf(world);
  const ctx = callBy(world.ctx, 'chi');
  const old = { from: from - 3 * day, to: to - 3 * day };
  const issues = [{ field: 'from', message: 'Expected today or yesterday.' }];
  await expect(today(ctx, old)).rejects.toMatchObject({ code: 'bad_input', issues });
  await expect(today(ctx, { from: from - day, to: from })).resolves.toMatchObject({ tickets: 0 });
  const oldest = world.clock() - 49 * 3_600_000;
  await expect(today(ctx, { from: oldest, to })).resolves.toMatchObject({ tickets: 0 });
  world.desk.simulator.setRoles(an, ['Agent']);
  await expect(told(world, 'an')).rejects.toMatchObject({ code: 'not_a_manager' });
});

describe('the tickets of the day', () => {
  test('stand by team and agent beside what each was due', async () => {
    const world = pipelineWorld();
    await route(world, ['1', '2', '3'], withOrgId(medium));
    await route(world, ['4']);
    const { teams } = await told(world);
    const counted = { waiting: 0, by_person: 0, for_nobody: 0 };
    expect(teams.map(({ agents, ...team }) => team)).toEqual([
      { team: scale, tickets: 3, ...counted },
      { team: cs, tickets: 1, ...counted },
    ]);
    expect(teams.flatMap(({ agents }) => agents)).toEqual([
      { agent: an, tickets: 2, due: 1.5 },
      { agent: binh, tickets: 1, due: 1.5 },
      { agent: hoa, tickets: 1, due: 0.33 },
      { agent: khoa, tickets: 0, due: 0.33 },
      { agent: linh, tickets: 0, due: 0.33 },
    ]);
    const open = world.desk.assignmentsOf().map(({ allocated_to }) => allocated_to);
    expect(open).toEqual([an, binh, an, hoa]);
  });

  test('are those of teams alike in number by the team’s name, and of none first where the right one does not exist', async () => {
    const world = pipelineWorld();
    world.desk.removeTeam(scale);
    const { key } = world.desk.insert('1', withOrgId(medium, { agent_group: grow }));
    await decisions.keepPreliminary(world.db, { key: String(key), team: grow, reason: 'Auto-routed: x', at: 0 });
    await world.run('1');
    await route(world, ['2']);
    const inTeam = { owner: an, agent_group: 'A' };
    world.desk.setTeam('A', []);
    await route(world, ['3'], inTeam);
    expect((await told(world)).teams.map(({ team, tickets }) => [team, tickets])).toEqual([
      [null, 1],
      ['A', 1],
      [cs, 1],
    ]);
  });

  test('count for whom they are planned, and for nobody whose assignment was taken back', async () => {
    const world = pipelineWorld();
    world.desk.failNext('assignments.add');
    await route(world, ['1'], withOrgId(medium)).catch(() => {});
    world.desk.before('assign', () => world.desk.personSetsGroup('2', cs));
    await route(world, ['2'], withOrgId(medium));
    const [{ agents } = { agents: [] }] = (await told(world)).teams;
    expect(agents).toEqual([
      { agent: an, tickets: 1, due: 0.5 },
      { agent: binh, tickets: 0, due: 0.5 },
    ]);
  });

  test('are due to nobody who was away, and count for a person who assigned them otherwise', async () => {
    const world = pipelineWorld();
    world.desk.goAway(binh);
    await route(world, ['1'], withOrgId(medium));
    world.desk.insert('2', withOrgId(medium));
    world.desk.personAssigns('2', binh);
    await world.run('2');
    expect((await told(world)).teams).toMatchObject([
      { team: scale, tickets: 2, by_person: 1, for_nobody: 0, agents: [{ agent: an, tickets: 1, due: 1 }] },
    ]);
  });

  test('that somebody closed before anybody had them were assigned by nobody', async () => {
    const world = pipelineWorld();
    world.desk.insert('1', withOrgId(medium));
    world.desk.personSetsStatus('1', 'Closed');
    await world.run('1');
    expect((await told(world)).teams).toMatchObject([{ tickets: 1, waiting: 0, by_person: 0, for_nobody: 1 }]);
  });

  test('are those that were decided for the first time on it, each once', async () => {
    const world = pipelineWorld();
    world.crm.answer = () => ({ kind: 'failed', code: 'timeout' });
    await route(world, ['1'], withOrgId(medium));
    world.clock.advance(day);
    await route(world, ['2'], withOrgId(medium));
    const [first, latest] = await Promise.all(['1', '2'].map((name) => decisions.latestNamed(world.db, name)));
    if (!first || !latest) throw new Error('They were not decided.');
    const { id: _, number, ...draft } = latest;
    await decisions.add(world.db, { ...draft, outcome: { ...draft.outcome, team: scale } }, number, null);
    // Yesterday's, decided again today.
    await decisions.add(world.db, { ...draft, ...first, decided_at: draft.decided_at }, first.number, null);
    const { tickets: counted, teams } = await told(world);
    expect([counted, teams.map(({ team, tickets }) => [team, tickets])]).toEqual([1, [[scale, 1]]]);
    const to = Date.parse(draft.decided_at);
    expect((await today(callBy(world.ctx, 'chi'), { from: to - 1, to })).tickets).toBe(0);
  });

  test('are told apart by who vouches for the company, and by how they were found', async () => {
    const world = pipelineWorld();
    world.crm.answer = () => matched(sampleCompany({ emails: [sender] }));
    await route(world, ['1'], { ...withOrgId(medium), owner: sender, via_customer_portal: 1 });
    await route(world, ['2'], withOrgId(medium));
    await route(world, ['3']);
    const at = world.clock();
    world.clock.advance(60_000);
    world.desk.insert('4', { ...withOrgId(medium), ...byStranger });
    await world.runFound('4');
    expect(await told(world)).toMatchObject({
      trust: { confirmed: 1, likely: 1, claimed: 1, none: 1 },
      found_by_sweep: 1,
      last_webhook_at: new Date(at).toISOString(),
    });
  });
});

describe('the lists', () => {
  test('say what waits, oldest first, and for what', async () => {
    const world = pipelineWorld();
    world.desk.goAway(hoa, khoa, linh);
    await route(world, ['1', '2']);
    const { waiting, teams } = await told(world);
    expect(teams).toMatchObject([{ team: cs, waiting: 2 }]);
    const row = { team: cs, since: expect.any(String), why: { unavailable: 3 } };
    expect(waiting).toEqual({ tickets: 2, hidden: 0, rows: ['1', '2'].map((ticket) => ({ ticket, ...row })) });
  });

  test('have the last fifty decisions, newest first, with company, agent and reason', async () => {
    const world = pipelineWorld();
    world.desk.customers.set('Shop', { platformOrgId: medium, segment: 'Medium' });
    await route(world, ['0'], { ...withOrgId(medium), customer: 'Shop' });
    const { decisions: one, names } = await told(world);
    expect(one.rows).toEqual([
      {
        id: expect.any(String),
        ticket: '0',
        at: expect.any(String),
        company: 'Shop',
        org_id: medium,
        team: scale,
        agent: an,
        state: 'assigned',
        rule: 'medium_scale',
        fallback: null,
        cause: 'webhook',
        trust: 'claimed',
      },
    ]);
    expect(names).toMatchObject({ [an]: 'An', [binh]: 'Binh' });
    for (let number = 1; number <= 51; number += 1) {
      world.desk.insert(String(number));
      const { creation } = world.desk.keyOf(String(number));
      await decisions.add(world.db, decisionDraft(String(number), { ticket_creation: creation }), 0, null);
    }
    const { decisions: all, tickets: counted } = await told(world);
    expect([all.rows.length, all.rows[0]?.ticket, all.rows[49]?.ticket, counted]).toEqual([50, '51', '2', 52]);
    expect([one.is_more, all.is_more]).toEqual([false, true]);
    const { decisions: whole } = await told(world, 'chi', {}, 52);
    expect([whole.rows.length, whole.rows[51]?.ticket, whole.is_more]).toEqual([52, '0', false]);
    // Older than the day, and than what is read of the store at once.
    world.clock.advance(day);
    for (let number = 52; number <= 120; number += 1) {
      world.desk.insert(String(number));
      const { creation } = world.desk.keyOf(String(number));
      await decisions.add(world.db, decisionDraft(String(number), { ticket_creation: creation }), 0, null);
    }
    const { decisions: earlier } = await told(world, 'chi', {}, 110);
    expect([earlier.rows.length, earlier.rows[109]?.ticket, earlier.is_more]).toEqual([110, '11', true]);
    const { decisions: page } = await told(world, 'chi', {}, 100);
    expect([page.rows.length, page.is_more]).toEqual([100, true]);
    const { from, to } = dayOf(world);
    expect((await today(callBy(world.ctx, 'chi'), { from: from - day, to })).tickets).toBe(121);
  });

  test('name every ticket that waits, if all rows are asked for', async () => {
    const world = pipelineWorld();
    for (let number = 1; number <= 51; number += 1) {
      world.desk.insert(String(number));
      const { creation } = world.desk.keyOf(String(number));
      const draft = decisionDraft(String(number), { ticket_creation: creation });
      const added = await decisions.add(world.db, draft, 0, null);
      if (!added) throw new Error('It was not decided.');
      await decisions.update(world.db, added, { assignment: { ...added.assignment, state: 'nobody_available' } });
    }
    const { waiting } = await told(world);
    expect([waiting.tickets, waiting.rows.length]).toEqual([51, 50]);
    expect((await told(world, 'chi', {}, 1_000)).waiting.rows).toHaveLength(51);
  });

  test('count what the caller may not see as a ticket, and do not name it; all in one list of theirs', async () => {
    const world = pipelineWorld();
    await route(world, ['secret']);
    world.desk.goAway(hoa, khoa, linh);
    await route(world, ['hidden']);
    await route(world, ['mine'], withOrgId(medium));
    keepTeamsApart(world);
    const answer = await told(world, 'an');
    expect(JSON.stringify(answer)).not.toMatch(/secret|hidden"?:"|"hidden",/);
    expect([answer.decisions.hidden, answer.decisions.rows.map(({ ticket }) => ticket)]).toEqual([2, ['mine']]);
    expect(answer.waiting).toEqual({ tickets: 1, hidden: 1, rows: [] });
    expect(answer.tickets).toBe(3);
    expect(answer.teams.map(({ team, tickets }) => `${team} ${tickets}`)).toEqual([`${cs} 2`, `${scale} 1`]);
    expect(world.desk.calls.filter((call) => call.endsWith('visibleAs'))).toHaveLength(1);
  });

  test('do not show a ticket in the place of a deleted one that had its name', async () => {
    const world = pipelineWorld();
    await route(world, ['1']);
    world.desk.remove('HD Ticket', '1');
    world.clock.advance(60_000);
    world.desk.put('HD Ticket', '1', {
      ...world.desk.ticket,
      creation: '2026-11-20 13:00:00.000000',
      subject: 'Other',
    });
    const { decisions: listed } = await told(world);
    expect(listed).toEqual({ hidden: 1, is_more: false, rows: [] });
  });

  test('name plans that end within thirty days of customers with open tickets, by what is cached alone', async () => {
    const world = pipelineWorld();
    const ends = world.clock() + 12.5 * day;
    await world.ctx.crm?.cache.putCompanies(
      new Map([
        [
          medium,
          {
            companies: [sampleCompany({ planExpiresAt: ends }, { current_shopplan: 'GROW' })],
            answeredAt: { UF_CRM_COMPANY_ID: 1 },
            checkedAt: 1,
            payloads: {},
          },
        ],
      ]),
      0,
    );
    world.desk.customers.set('Shop', { platformOrgId: medium });
    world.desk.insert('1', { customer: 'Shop' });
    world.desk.insert('2', { customer: 'Shop' });
    world.desk.personSetsStatus('2', 'Closed');
    const asked = world.crm.requests.length;
    const plan = {
      customer: 'Shop',
      plan: 'GROW',
      days_left: 12,
      ends: new Date(ends).toISOString(),
      tickets: ['1'],
      open: 1,
    };
    expect((await told(world)).plans).toEqual({ customers: 1, hidden: 0, unread: false, rows: [plan] });
    expect(world.crm.requests).toHaveLength(asked);
    keepTeamsApart(world);
    world.desk.put('HD Ticket', '1', { agent_group: scale });
    expect((await told(world, 'hoa')).plans).toEqual({ customers: 1, hidden: 1, unread: false, rows: [] });
  });

  test('name a plan that has ended before one that ends, and of a customer’s many tickets five with how many there are', async () => {
    const world = pipelineWorld();
    const now = world.clock();
    const of = (planExpiresAt: number) => ({
      companies: [sampleCompany({ planExpiresAt })],
      ...{ answeredAt: { UF_CRM_COMPANY_ID: 1 }, checkedAt: 1, payloads: {} },
    });
    const [ended, later] = [medium, '1000069099' as OrgId];
    const kept = new Map([
      [later, of(now + 3 * day)],
      [ended, of(now - 80 * day)],
      [small, of(now + 100 * day)],
    ]);
    await world.ctx.crm?.cache.putCompanies(kept, 0);
    world.desk.customers.set('Later', { platformOrgId: later });
    world.desk.customers.set('Ended', { platformOrgId: ended });
    world.desk.customers.set('Active', { platformOrgId: small });
    world.desk.insert('9', { customer: 'Active' });
    world.desk.insert('1', { customer: 'Later' });
    for (const name of ['2', '3', '4', '5', '6', '7', '8']) world.desk.insert(name, { customer: 'Ended' });
    const { rows } = (await told(world)).plans;
    expect(rows.map(({ customer, days_left, tickets, open }) => [customer, days_left, tickets.length, open])).toEqual([
      ['Ended', -80, 5, 7],
      ['Later', 3, 1, 1],
    ]);
    const { plans } = await told(world, 'chi', {}, 1);
    expect([plans.customers, plans.rows.map(({ customer }) => customer)]).toEqual([2, ['Ended']]);
  });
});

describe('the systems', () => {
  test('say whether the CRM answers and what each lane has left', async () => {
    const world = pipelineWorld();
    const { crm } = await told(world);
    expect(crm).toMatchObject({ state: 'answers', error: null });
    expect(crm.lanes.map(({ lane, waiting }) => `${lane} ${waiting}`)).toEqual(['click 0', 'open 0', 'bulk 0']);
    world.crm.answer = () => ({ kind: 'failed', code: 'unauthorized' });
    await route(world, ['1'], withOrgId(medium));
    expect((await told(world)).crm).toMatchObject({ state: 'failing', error: 'unauthorized', lanes: { length: 3 } });
    const none = { lanes: [], error: null };
    expect((await told(world, 'chi', { crm: null })).crm).toEqual({ state: 'not_configured', ...none });
    expect((await told(world, 'chi', { crmEnabled: false })).crm).toEqual({ state: 'disabled', ...none });
  });

  test('say that the helpdesk does not answer our own key, and all else is told all the same', async () => {
    const world = pipelineWorld();
    await route(world, ['1']);
    world.desk.failNext('ticketLists.openWithOrgId');
    const answer = await told(world);
    expect([answer.helpdesk.answers, answer.plans.unread, answer.tickets]).toEqual([false, true, 1]);
    expect((await told(world)).helpdesk.answers).toBe(true);
    world.desk.failNext('ticketLists.openWithOrgId', new TypeError('ours') as HelpdeskError);
    await expect(told(world)).rejects.toThrow('ours');
  });

  test('what has come and is not routed is told with its age', async () => {
    const world = pipelineWorld();
    const key = { name: '9', creation: '2026-05-08 07:00:00.000000' };
    await tickets.enqueue(world.db, [key], { dueAt: world.clock() - 60_000, now: world.clock() });
    expect((await told(world)).undecided).toEqual({
      tickets: 1,
      since: new Date(world.clock()).toISOString(),
    });
  });
});
