import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { failed } from '#crm/testing/fakes.ts';
import { growing, growingOwner, medium, notFound } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { recordResponsible } from '#profile/follow-up.ts';
import { grow } from '#routing/testing/pipeline-rules.ts';
import * as decisions from '#store/decisions.ts';
import * as rejections from '#store/rejections.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import {
  byAgent,
  byStranger,
  type PipelineWorld,
  pipelineWorld,
  saysOrgId,
  standing,
  stranger,
  withOrgId,
} from '#testing/pipeline-kit.ts';
import { callBy } from '#testing/test-context.ts';
import { rejectCompany, undoRejection } from './reject.ts';
import { syncEndpoint } from './sync.ts';

const causes = async (w: PipelineWorld) => (await decisions.list(w.db, w.desk.keyOf('1'))).map(({ cause }) => cause);

function shownOf(w: PipelineWorld) {
  const { status, segment, shopplan, servicePlan, crmLastCheckedAt, orgId } = w.desk.routingOf('1');
  return { ...standing(w, '1'), status, segment, shopplan, servicePlan, crmLastCheckedAt, orgId };
}

/** A look at the profile writes the company's account owner to the ticket. */
async function tellOwner(w: PipelineWorld, email: string) {
  const owner = { id: '9', active: true, email, name: 'AM', user_type: 'employee', status: 'active' } as const;
  recordResponsible(w.ctx, (await w.desk.fileOf('1')).ticket, { orgId: medium, owner });
  await w.ctx.background.idle();
}

describe('a Sync of a ticket without org id', () => {
  async function synced(made: Record<string, unknown> = {}) {
    const w = pipelineWorld();
    w.desk.insert('1', withOrgId(null, { ...byStranger, ...made }));
    await w.run('1');
    const shown = shownOf(w);
    expect(shown).toMatchObject({ reason: expect.stringContaining('Missing OrgID'), orgId: null });
    return { w, shown, sync: await w.sync('1', medium) };
  }

  test('writes the org id; reason and status follow, and name the team that the ticket has', async () => {
    const { w, shown, sync } = await synced();
    expect(shownOf(w).orgId).toBe(medium);
    await w.run('1');
    expect(shownOf(w)).toMatchObject({
      ...shown,
      customer: expect.any(String),
      ...{ orgId: medium, status: 'Complete', segment: 'Medium' },
      reason: expect.stringMatching(/^Auto-routed: Customer Segment=Medium.*Target team=CS 60p\./),
      shopplan: 'Medium Scale',
      servicePlan: expect.any(String),
      crmLastCheckedAt: expect.any(Number),
    });
    expect(await causes(w)).toEqual(['confirmed', 'webhook']);
    await w.undoSync('1', sync);
    await w.run('1');
    expect(shownOf(w)).toEqual(shown);
    expect(await causes(w)).toEqual(['sync_undone', 'confirmed', 'webhook']);
  });

  test('undone before the ticket is judged again, leaves it as it was, and no claim of the sender', async () => {
    const { w, shown, sync } = await synced();
    await w.undoSync('1', sync);
    await w.run('1');
    expect(shownOf(w)).toEqual(shown);
    expect(await causes(w)).toEqual(['webhook']);
    expect(await tickets.carrying(w.db, stranger, medium as OrgId)).toEqual([]);
  });

  test('made and undone around the first decision, takes back what that showed of the company', async () => {
    const w = pipelineWorld();
    w.desk.insert('1', withOrgId(null, byStranger));
    const sync = await w.sync('1', medium);
    await w.run('1');
    expect(shownOf(w)).toMatchObject({ segment: 'Medium', reason: expect.stringContaining('Segment=Medium') });
    const { group } = shownOf(w);
    await w.undoSync('1', sync);
    await w.run('1');
    expect(shownOf(w)).toMatchObject({ customer: null, orgId: null, segment: null, shopplan: null, servicePlan: null });
    expect(shownOf(w)).toMatchObject({ group, reason: `Auto-routed: Company taken back. Target team=${group}.` });
  });

  test('is taken back where the first decision went by its customer, though the ticket names another company', async () => {
    const w = pipelineWorld();
    w.desk.insert('1', withOrgId(growing, { owner: growingOwner, raised_by: growingOwner }));
    const { sync_id } = await w.sync('1', medium);
    w.clock.advance(1_000);
    await w.run('1');
    expect(shownOf(w)).toMatchObject({ segment: 'Medium', reason: expect.stringContaining('Source=hd_customer') });
    await w.run('1');
    expect(await causes(w)).toEqual(['webhook']);
    await w.undoSync('1', { sync_id });
    expect(shownOf(w)).toMatchObject({ segment: null, shopplan: null, servicePlan: null, customer: null });
    expect(shownOf(w).reason).toBe('Auto-routed: Company taken back. Target team=Medium - Scale.');
  });

  test.each([
    ['was there before the Sync', true],
    ['decided before the Sync, and was put back by it', false],
  ])('leaves what a decision wrote by a customer that %s', async (_, isThere) => {
    const w = pipelineWorld();
    w.desk.customers.set('Tiệm Hoa', { platformOrgId: medium, segment: 'Medium', shopPlan: 'Scale' });
    w.desk.insert('1', withOrgId(growing, { owner: growingOwner, raised_by: growingOwner }));
    w.desk.setsCustomer('1', 'Tiệm Hoa', 'an@desk.example');
    if (!isThere) {
      await w.run('1');
      w.clock.advance(60_000);
      w.desk.changes('1', 'an@desk.example', { customer: null });
    }
    const { sync_id } = await w.sync('1', medium);
    if (isThere) await w.run('1');
    const shown = { segment: 'Medium', reason: expect.stringContaining('Source=hd_customer') };
    expect(shownOf(w)).toMatchObject({ ...shown, customer: 'Tiệm Hoa' });
    await w.undoSync('1', { sync_id });
    expect(shownOf(w)).toMatchObject({ ...shown, customer: isThere ? 'Tiệm Hoa' : null });
  });

  test('leaves an org id that a person has put there since', async () => {
    const { w, sync } = await synced();
    w.desk.changes('1', 'an@desk.example', { custom_orgid: '555' });
    await w.undoSync('1', sync);
    expect(shownOf(w).orgId).toBe('555');
  });

  test('leaves the team that it sent the ticket to, and gives back the segment of before all that it decided', async () => {
    const { w, shown, sync } = await synced();
    await w.run('1');
    w.clock.advance(1_000);
    await w.sync('1', medium, { reroute: true });
    expect(await causes(w)).toEqual(['sync', 'confirmed', 'webhook']);
    const { group } = shownOf(w);
    await w.undoSync('1', sync);
    const reason = `Auto-routed: Company taken back. Target team=${group}.`;
    expect(shownOf(w)).toMatchObject({ group, segment: shown.segment, reason });
    expect((await w.decided('1'))?.outcome).toMatchObject({ team: group, reason });
  });

  test.each([
    ['decided since', true],
    ['not decided since', false],
  ])('takes off whichever account owner we wrote last, of a ticket %s', async (_, isRun) => {
    const { w, sync } = await synced();
    if (isRun) await w.run('1');
    for (const owner of ['former@crm.example', 'present@crm.example']) {
      await tellOwner(w, owner);
      expect(w.desk.routingOf('1').responsible).toBe(owner);
      if (!isRun) break;
    }
    await w.undoSync('1', sync);
    expect([w.desk.routingOf('1').responsible, shownOf(w).orgId]).toEqual([null, null]);
  });
});

test('a first decision by a Sync that is undone before it is written tells nothing of the company later', async () => {
  const w = pipelineWorld();
  w.desk.insert('1', withOrgId(null, byStranger));
  const sync = await w.sync('1', medium);
  w.desk.failNext('tickets.write');
  await expect(w.run('1')).rejects.toThrow();
  await w.undoSync('1', sync);
  await w.run('1');
  expect(shownOf(w)).toMatchObject({ customer: null, orgId: null, segment: null, shopplan: null, servicePlan: null });
});

test('an undo leaves a decision without the Sync to be written with all that intake found', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.insert('1', { ...byStranger, description: saysOrgId });
  w.desk.failNext('tickets.write');
  await expect(w.run('1')).rejects.toThrow();
  expect((await w.decided('1'))?.state).toBe('planned');
  await w.undoSync('1', await w.sync('1', growing));
  expect(shownOf(w).orgId).toBeNull();
  await w.run('1');
  expect(shownOf(w).orgId).toBe(medium);
});

const orgIdsOf = ({ desk }: PipelineWorld) => {
  const ticket = desk.document('HD Ticket', '1');
  const values = [ticket?.custom_orgid, ticket?.custom_platform_profile_orgid, ticket?.custom_org_id];
  return values.map((value) => value || null);
};

test.each<[string, Record<string, unknown>, OrgId | null, OrgId | null]>([
  ['takes off the org id that only decisions by the Sync have given', {}, null, null],
  ['takes off such an org id of a ticket that had had it at the Sync', { custom_orgid: medium }, null, null],
  ['leaves the org id that an earlier decision has given, too', { description: saysOrgId }, null, medium],
  ['leaves one that the first decision has given, and a second has not', { description: saysOrgId }, growing, medium],
])('an undo %s', async (_, values, other, left) => {
  const w = pipelineWorld();
  await w.route('1', { ...byStranger, ...values });
  w.clock.advance(1_000);
  if (other !== null) await w.sync('1', other, { reroute: true });
  const sync = await w.sync('1', medium);
  w.desk.changes('1', 'an@desk.example', { custom_orgid: '' });
  expect(orgIdsOf(w)).toEqual([null, left, left]);
  await w.run('1');
  await w.sync('1', medium, { reroute: true });
  expect(orgIdsOf(w)).toEqual([medium, medium, medium]);
  await w.undoSync('1', sync);
  expect(orgIdsOf(w)).toEqual([left, left, left]);
});

test('an undo takes back what another Sync of the company vouches for, where the ticket has not got its customer', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', withOrgId(null, byStranger));
  const { segment, shopplan, servicePlan } = shownOf(w);
  await w.sync('1', medium);
  w.desk.changes('1', 'an@desk.example', { customer: null });
  w.clock.advance(1_000);
  const sync = await w.sync('1', medium, { by: 'ba' });
  await w.run('1');
  expect(shownOf(w)).toMatchObject({ segment: 'Medium', shopplan: 'Medium Scale' });
  await w.undoSync('1', sync);
  expect(shownOf(w)).toMatchObject({ customer: null, segment, shopplan, servicePlan });
});

test('an undo leaves a ticket that somebody else reads by now without customer', async () => {
  const w = pipelineWorld();
  w.desk.customers.set('Tiệm Hoa', {});
  w.desk.insert('1', { owner: growingOwner, raised_by: growingOwner });
  w.desk.setsCustomer('1', 'Tiệm Hoa', 'an@desk.example');
  const sync = await w.sync('1', medium);
  w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
  w.desk.put('Contact', stranger, { owner: stranger, email_id: stranger });
  w.desk.changes('1', stranger, { contact: stranger });
  expect((await w.undoSync('1', sync)).ticket).toMatchObject({ customer: null });
  expect(w.desk.customerOf('1')).toBeNull();
});

test.each([
  ['its own ticket, which was synced since', '1'],
  ['another ticket of that customer', '2'],
])('what the pipeline made of a customer made by hand is undone alone, on %s', async (_, ticket) => {
  const w = pipelineWorld();
  w.desk.customers.set('Hand', {});
  for (const name of ['1', '2']) {
    w.desk.insert(name, { owner: growingOwner, raised_by: growingOwner, custom_orgid: growing });
    w.desk.setsCustomer(name, 'Hand', 'an@desk.example');
  }
  await w.run('1');
  w.clock.advance(1_000);
  await w.sync('1', growing);
  const [adoption] = w.rows.adoptions;
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBe(growing);
  await w.undoSync(ticket, { sync_id: adoption?.id ?? '' });
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBeUndefined();
  expect(w.desk.customerOf(ticket)).toBe('Hand');
});

test.each([
  ['by the id of its Sync leaves the customer the company', false, null],
  ['by the id of the adoption leaves the ticket its customer', true, 'Hand'],
])('an undo on a ticket whose customer another ticket’s Sync made the company, %s', async (_, isAdoption, left) => {
  const w = pipelineWorld();
  w.desk.customers.set('Hand', {});
  for (const name of ['1', '2']) w.desk.insert(name, byAgent);
  await w.sync('2', medium, { adopt: 'Hand' });
  const [adoption] = w.rows.adoptions;
  w.clock.advance(1_000);
  const { sync_id } = await w.sync('1', medium);
  expect(w.desk.customerOf('1')).toBe('Hand');
  await w.undoSync('1', { sync_id: isAdoption ? (adoption?.id ?? '') : sync_id });
  expect(w.desk.customerOf('1')).toBe(left);
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBe(isAdoption ? undefined : medium);
});

test.each([
  ['its Sync', '1', false],
  ['the adoption', '2', true],
])('an undo by the id of %s shows the ticket’s customer at once as it is since', async (_, ticket, isAdoption) => {
  const w = pipelineWorld();
  w.desk.customers.set('Hand', {});
  for (const name of ['1', '2']) {
    w.desk.insert(name, withOrgId(medium, byAgent));
    w.desk.setsCustomer(name, 'Hand', 'an@desk.example');
  }
  const { sync_id } = await w.sync('1', medium, { adopt: 'Hand' });
  const call = callBy(w.ctx, 'an');
  const read = async () => (await call.gate.openTicket(call.caller, ticket, call.signal)).customer;
  expect(await read()).toMatchObject({ custom_platform_orgid: medium });
  await w.undoSync(ticket, { sync_id: isAdoption ? (w.rows.adoptions[0]?.id ?? '') : sync_id });
  expect(await read()).toMatchObject({ name: 'Hand', custom_platform_orgid: null });
});

test('an undo by the id of an adoption that is over leaves the later Sync that made the customer another company', async () => {
  const w = pipelineWorld();
  w.desk.customers.set('Hand', {});
  w.desk.insert('1', byAgent);
  const sync = await w.sync('1', medium, { adopt: 'Hand' });
  const [adoption] = w.rows.adoptions;
  await w.undoSync('1', sync);
  w.clock.advance(1_000);
  const later = await w.sync('1', growing, { adopt: 'Hand' });
  await w.undoSync('1', { sync_id: adoption?.id ?? '' });
  expect(await syncs.latest(w.db, w.desk.keyOf('1'))).toMatchObject({ id: later.sync_id });
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBe(growing);
});

test('an undo asks the CRM nothing', async () => {
  const w = pipelineWorld();
  await w.route('1', withOrgId(medium, byStranger));
  const sync = await w.sync('1', medium);
  w.clock.advance(86_400_000);
  const { length } = w.crm.requests;
  await w.undoSync('1', sync);
  expect(w.crm.requests).toHaveLength(length);
});

test('a rejection that a Sync has lifted stands again once that is undone', async () => {
  const w = pipelineWorld();
  w.desk.insert('1', withOrgId(medium, byStranger));
  await w.run('1');
  const standing = () => rejections.standing(w.db, w.desk.keyOf('1'), null);
  const why = { reason: 'wrong_id', note: '' } as const;
  const about = { ticket: '1', company_id: medium as OrgId, bitrix_id: null, ...why, expected_customer: null };
  const { rejection_id: id } = await rejectCompany(callBy(w.ctx, 'an'), about);
  const sync = await w.sync('1', medium);
  expect(await standing()).toEqual([]);
  await w.undoSync('1', sync);
  expect(await standing()).toMatchObject([{ id }]);
});

test('a Sync of another company, undone, leaves a rejection the Sync that it gives back', async () => {
  const w = pipelineWorld();
  await w.route('1', withOrgId(medium, byStranger));
  const { sync_id: id } = await w.sync('1', medium);
  const about = { ticket: '1', company_id: medium as OrgId, bitrix_id: null, note: '', expected_customer: null };
  const { rejection_id } = await rejectCompany(callBy(w.ctx, 'an'), { ...about, reason: 'wrong_id' });
  w.clock.advance(1_000);
  await w.undoSync('1', await w.sync('1', growing));
  await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id });
  expect(await syncs.latest(w.db, w.desk.keyOf('1'))).toMatchObject({ id });
});

test('another agent’s Sync that found the link there ends with it, and what either has lifted stands again', async () => {
  const w = pipelineWorld();
  w.desk.insert('1', withOrgId(medium, byStranger));
  await w.run('1');
  const key = w.desk.keyOf('1');
  const about = { ticket: '1', company_id: medium as OrgId, bitrix_id: null, note: '', expected_customer: null };
  const { rejection_id: id } = await rejectCompany(callBy(w.ctx, 'an'), { ...about, reason: 'wrong_id' });
  const sync = await w.sync('1', medium);
  w.clock.advance(1_000);
  const again = await w.sync('1', medium, { by: 'ba' });
  expect(again.sync_id).not.toBe(sync.sync_id);
  // One that changed nothing can be taken back alone.
  w.clock.advance(1_000);
  const third = await w.sync('1', medium);
  await w.undoSync('1', again);
  expect(await syncs.latest(w.db, key)).toMatchObject({ id: third.sync_id });
  await w.undoSync('1', third);
  expect(await syncs.latest(w.db, key)).toMatchObject({ id: sync.sync_id });
  expect(await rejections.standing(w.db, key, null)).toEqual([]);
  w.clock.advance(1_000);
  await w.sync('1', medium, { by: 'ba' });
  await w.undoSync('1', sync);
  expect(await syncs.latest(w.db, key)).toBeNull();
  expect(await rejections.standing(w.db, key, null)).toMatchObject([{ id }]);
});

test.each([
  ['one after the other', false],
  ['the last one first', true],
])('a rejection that two tickets’ Syncs have answered stands again once both are undone, %s', async (_, isReverse) => {
  const w = pipelineWorld();
  for (const ticket of ['1', '2']) await w.route(ticket, withOrgId(null, byStranger));
  const about = { ticket: '1', company_id: medium as OrgId, bitrix_id: null, note: '', expected_customer: null };
  const { rejection_id: id } = await rejectCompany(callBy(w.ctx, 'an'), { ...about, reason: 'wrong_id' });
  w.clock.advance(1_000);
  const elsewhere = await w.sync('2', medium);
  const here = await w.sync('1', medium);
  const undoing = [() => w.undoSync('2', elsewhere), () => w.undoSync('1', here)];
  const [undoOne, undoOther] = isReverse ? undoing.toReversed() : undoing;
  await undoOne?.();
  expect(await rejections.standing(w.db, null, stranger)).toEqual([]);
  await undoOther?.();
  expect(await rejections.standing(w.db, null, stranger)).toMatchObject([{ id }]);
});

test('a Sync of an accepted claim leaves what that showed of the company, once it is undone', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', withOrgId(medium, byStranger));
  await tellOwner(w, 'an@crm.example');
  const { segment, shopplan, servicePlan } = shownOf(w);
  w.clock.advance(1_000);
  const sync = await w.sync('1', medium);
  await w.run('1');
  expect(await causes(w)).toEqual(['confirmed', 'webhook']);
  await w.undoSync('1', sync);
  expect(await causes(w)).toEqual(['sync_undone', 'confirmed', 'webhook']);
  expect(shownOf(w)).toMatchObject({ segment, shopplan, servicePlan, crmLastCheckedAt: expect.any(Number) });
  expect(w.desk.routingOf('1').responsible).toBe('an@crm.example');
});

test.each([
  ['of which a webhook told', 'run'],
  ['that the sweep found', 'runFound'],
  ['whose customer could not be made', 'runLast'],
] as const)(
  'a Sync of another company, undone, tells nothing to whoever was put in the sender’s place since, of a ticket %s',
  async (_, run) => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', withOrgId(growing, { owner: 'Administrator', raised_by: growingOwner }));
    const later = run === 'runLast' ? 'run' : run;
    const runLast = () => {
      w.desk.failNext('customers.create', new HelpdeskError('bad_answer', 'a page'));
      return w.run('1', 9);
    };
    await { ...w, runLast }[run]('1');
    expect((await w.decided('1'))?.inputs.customer === null).toBe(run === 'runLast');
    const { group, customer, ...shown } = shownOf(w);
    expect(shown).toMatchObject({ shopplan: 'Medium Grow', reason: expect.stringContaining('Segment=Medium') });
    w.desk.changes('1', growingOwner, { raised_by: stranger });
    const sync = await w.sync('1', medium);
    await w[later]('1');
    expect(shownOf(w)).toMatchObject({ shopplan: 'Medium Scale', customer: expect.stringContaining(medium) });
    await w.undoSync('1', sync);
    await w[later]('1');
    const reason = `Auto-routed: Company taken back. Target team=${group}.`;
    expect(shownOf(w)).toMatchObject({ customer, reason, segment: null, shopplan: null, servicePlan: null });
  },
);

test.each<[string, Record<string, unknown>]>([
  ['no company', {}],
  ['no company, beside a customer made by hand', { customer: 'Tiệm Hoa' }],
  ['a claim that is held', { custom_orgid: medium }],
  ['a claim that is held, and keeps its team', { custom_orgid: medium, agent_group: grow }],
])(
  'a Sync undone gives back the reason of a decision that shows %s, whoever is the sender by now',
  async (_, values) => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.customers.set('Tiệm Hoa', { segment: 'Medium', shopPlan: 'Scale' });
    await w.route('1', { owner: 'Administrator', raised_by: stranger, ...values });
    const { customer, group, reason } = shownOf(w);
    w.desk.changes('1', 'an@desk.example', { raised_by: 'khach@hopthu.example' });
    w.clock.advance(1_000);
    const sync = await w.sync('1', growing);
    await w.run('1');
    expect(shownOf(w).reason === reason).toBe('agent_group' in values);
    await w.undoSync('1', sync);
    expect(shownOf(w)).toMatchObject({ customer, group, reason });
    expect(await causes(w)).toEqual(['sync_undone', expect.anything(), 'webhook']);
  },
);

test.each([
  ['the team that it went to', {}, 'Auto-routed: Company taken back. Target team=Medium - Scale.'],
  ['the team that it kept', { agent_group: grow }, `Group kept as the sender chose it: ${grow}.`],
])(
  'an undo on a ticket that has lost its team, and that somebody else reads by now, names %s',
  async (_, values, reason) => {
    const w = pipelineWorld({ claims: 'hold' });
    await w.route('1', withOrgId(medium, { ...byStranger, ...values }));
    w.clock.advance(1_000);
    const sync = await w.sync('1', medium);
    await w.run('1');
    w.desk.personSetsGroup('1', null);
    w.desk.put('User', growingOwner, { user_type: 'Website User', enabled: 1, roles: [] });
    w.desk.put('Contact', growingOwner, { owner: growingOwner, email_id: growingOwner });
    w.desk.changes('1', 'an@desk.example', { contact: growingOwner });
    await w.undoSync('1', sync);
    expect(shownOf(w)).toMatchObject({ group: null, customer: null, segment: null, reason });
    expect((await w.decided('1'))?.outcome.reason).toBe(reason);
  },
);

test('an undo takes off that the CRM does not have the company', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', withOrgId(null, byStranger));
  const sync = await w.sync('1', medium);
  w.crm.answer = () => notFound;
  w.clock.advance(1_000);
  await w.run('1');
  const times = () => {
    const { crmLastCheckedAt, crmNotFoundAt } = w.desk.routingOf('1');
    return [crmLastCheckedAt, crmNotFoundAt];
  };
  expect(times()).toEqual([expect.any(Number), expect.any(Number)]);
  await w.undoSync('1', sync);
  expect(times()).toEqual([null, null]);
});

test('a Sync undone gives back the status of a decision for which the CRM had failed', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  const { answer } = w.crm;
  w.crm.answer = () => failed;
  await w.route('1', withOrgId(medium, byStranger));
  const { status } = shownOf(w);
  w.crm.answer = answer;
  w.clock.advance(1_000);
  const sync = await w.sync('1', medium);
  await w.run('1');
  expect([status, shownOf(w).status]).toEqual(['API Error', 'Complete']);
  await w.undoSync('1', sync);
  expect(shownOf(w).status).toBe('API Error');
});

test('a Sync undone gives back what an earlier one of the ticket still vouches for', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  w.desk.insert('1', { owner: 'Administrator', raised_by: stranger });
  await w.run('1');
  await w.sync('1', growing);
  await w.run('1');
  const { crmLastCheckedAt: _, ...before } = shownOf(w);
  w.clock.advance(1_000);
  const other = await w.sync('1', medium);
  await w.run('1');
  expect(shownOf(w).customer).not.toBe(before.customer);
  await w.undoSync('1', other);
  expect(shownOf(w)).toMatchObject(before);
});

describe('a Sync that confirmed a claim', () => {
  /** A claim that a Sync has confirmed. */
  async function confirmed(before: (w: PipelineWorld) => void = () => {}) {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', withOrgId(medium, byStranger));
    before(w);
    await w.run('1');
    const shown = shownOf(w);
    const sync = await w.sync('1', medium);
    await w.run('1');
    expect(shownOf(w)).toMatchObject({ segment: 'Medium', reason: expect.stringContaining('Source=hd_customer') });
    return { w, shown, sync };
  }

  test('undone, leaves the ticket as it was, and the claim open, and says that history stays', async () => {
    const { w, shown, sync } = await confirmed();
    const undone = await w.undoSync('1', sync);
    expect(syncEndpoint.message(undone)).toContain('The history of the ticket keeps what it showed.');
    expect(shownOf(w)).toEqual(shown);
    expect(await causes(w)).toEqual(['sync_undone', 'confirmed', 'webhook']);
    const [latest, , first] = await decisions.list(w.db, w.desk.keyOf('1'));
    expect(latest).toMatchObject({ state: 'applied', outcome: first?.outcome, assignment: first?.assignment });
    expect(latest?.inputs.org_id).toEqual(first?.inputs.org_id);
    expect(await decisions.openClaimsOf(w.db, [medium])).toEqual([w.desk.keyOf('1')]);
    await w.undoSync('1', sync);
    await w.run('1');
    expect(await causes(w)).toHaveLength(3);
    expect(shownOf(w)).toEqual(shown);
    await w.sync('1', medium);
    await w.run('1');
    expect(await causes(w)).toEqual(['confirmed', 'sync_undone', 'confirmed', 'webhook']);
  });

  test('undone, has the ticket looked at again', async () => {
    const { w, sync } = await confirmed();
    await w.processInbox();
    expect(w.rows.waiting).toEqual([]);
    await w.undoSync('1', sync);
    expect(w.rows.waiting).toEqual(['1']);
  });

  test('puts back the segment that the desk had filled in', async () => {
    const { w, sync } = await confirmed(({ desk }) =>
      desk.changes('1', 'an@desk.example', { custom_customer_segment: 'SME' }),
    );
    await w.undoSync('1', sync);
    expect(shownOf(w)).toMatchObject({ segment: 'SME', shopplan: null });
  });

  test('takes the account owner of the company off, and leaves another one', async () => {
    for (const [owner, left] of [
      ['an@crm.example', null],
      ['an@desk.example', 'an@desk.example'],
    ] as const) {
      const { w, sync } = await confirmed();
      await tellOwner(w, 'an@crm.example');
      w.desk.changes('1', 'an@desk.example', { custom_responsible: owner });
      await w.undoSync('1', sync);
      expect(w.desk.routingOf('1').responsible).toBe(left);
    }
  });

  test('undone again after a failure, is undone to the end', async () => {
    const { w, shown, sync } = await confirmed();
    w.desk.failNext('tickets.clear');
    await expect(w.undoSync('1', sync)).rejects.toThrow();
    await w.process().undoSync('1', sync);
    expect(shownOf(w)).toEqual(shown);
    expect(await causes(w)).toHaveLength(3);
  });

  test('undone before the pipeline has written what it decided, leaves nothing of it', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', withOrgId(medium, byStranger));
    await w.run('1');
    const shown = shownOf(w);
    const sync = await w.sync('1', medium);
    w.desk.failNext('tickets.write');
    await expect(w.run('1')).rejects.toThrow();
    expect((await decisions.latest(w.db, w.desk.keyOf('1')))?.state).toBe('planned');
    await w.undoSync('1', sync);
    await w.run('1');
    expect(shownOf(w)).toEqual(shown);
  });

  test('undone, leaves what a person has changed since, and names the team that they chose', async () => {
    const { w, sync } = await confirmed();
    w.desk.personSetsGroup('1', grow);
    w.desk.personAssigns('1', 'khoa@desk.example');
    w.desk.changes('1', 'an@desk.example', { custom_customer_segment: 'SME' });
    const { assigned } = standing(w, '1');
    await w.undoSync('1', sync);
    expect(shownOf(w)).toMatchObject({
      ...{ group: grow, assigned, segment: 'SME', shopplan: null },
      reason: `Auto-routed: Company taken back. Target team=${grow}.`,
    });
    expect(await decisions.openClaimsOf(w.db, [medium])).toEqual([w.desk.keyOf('1')]);
  });

  test('stays confirmed where another Sync vouches for the company', async () => {
    const { w, sync } = await confirmed();
    const other = await w.sync('1', medium, { by: 'ba' });
    expect(other.sync_id).not.toBe(sync.sync_id);
    const shown = shownOf(w);
    await w.undoSync('1', other);
    expect(shownOf(w)).toEqual(shown);
    expect(await causes(w)).toEqual(['confirmed', 'webhook']);
  });

  test('gives a ticket that waits to whoever comes back, confirmed or not', async () => {
    for (const isUndone of [false, true]) {
      const { w, sync } = await confirmed(({ desk }) => desk.goAway('an@desk.example', 'binh@desk.example'));
      if (isUndone) await w.undoSync('1', sync);
      w.desk.comeBack('an@desk.example');
      expect(await w.assignWaiting()).toBe(1);
      expect([isUndone, standing(w, '1').assigned]).toEqual([isUndone, ['an@desk.example']]);
    }
  });
});
