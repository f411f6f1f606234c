import { expect, test } from 'vitest';
import { matched, medium, sampleCompany } from '#crm/testing/sample-companies.ts';
import * as notes from '#store/notes.ts';
import { insertedTicket, waitingIn } from '#store/testing/inserted.ts';
import * as tickets from '#store/tickets.ts';
import { byStranger, type PipelineWorld, pipelineWorld, standing, withOrgId } from '#testing/pipeline-kit.ts';
import { cs, scale } from './testing/pipeline-rules.ts';

/** A helpdesk in which every save of a ticket wants a field that a mail leaves empty, and such a ticket, which came a moment ago. */
async function setUp(values = withOrgId(medium)) {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(60_000);
  w.desk.insert('1', values);
  w.desk.addRule('HD Ticket', { reqd: 1 });
  await tickets.accept(w.db, '1', w.desk.insertOf('1') ?? insertedTicket(), w.clock());
  await w.processInbox();
  return w;
}

test('what the helpdesk has against a ticket is kept with the fields, and the ticket waits with its agent', async () => {
  const w = await setUp();
  expect(w.faults).toEqual(['ticket_write_rejected']);
  expect(standing(w, '1')).toMatchObject({ group: null, assigned: ['an@desk.example'] });
  expect(await notes.refusals(w.db)).toEqual([
    expect.objectContaining({ name: '1', refusal: 'HD Ticket needs Industry', fields: ['custom_industry'] }),
  ]);
  const { number } = (await w.decided('1')) ?? {};
  w.clock.advance(600_000);
  await w.processInbox();
  expect((await w.decided('1'))?.number).toBe(number);
});

test('once somebody fills the field the sweep sees it, and the ticket is decided afresh, for the same agent', async () => {
  const w = await setUp();
  w.clock.advance(40_000);
  expect(await w.sweep()).toBe(0);
  w.desk.save('HD Ticket', '1', { custom_industry: 'x' }, 'an@desk.example');
  w.clock.advance(30_000);
  expect(await w.sweep()).toBe(1);
  await w.processInbox();
  const { reason, ...now } = standing(w, '1');
  expect(now).toEqual({ group: scale, customer: expect.stringContaining(medium), assigned: ['an@desk.example'] });
  expect(reason).not.toMatch(/refuse|could not/i);
  // They have had it all the time, and hear of it once.
  expect(w.desk.writes.filter((write) => /^(assign|withdraw) /.test(write))).toEqual(['assign 1 an@desk.example']);
  expect((await w.decisionsOn('1')).map(({ state }) => state)).toEqual(['applied', 'planned']);
  expect([await notes.refusals(w.db), await waitingIn(w.db)]).toEqual([[], 0]);
});

test('what somebody filled in may send it to another team, and whoever had it there no longer has it', async () => {
  const w = await setUp(withOrgId(null));
  const [before] = standing(w, '1').assigned;
  w.clock.advance(40_000);
  w.desk.save('HD Ticket', '1', { custom_industry: 'x', custom_orgid: medium }, 'linh@desk.example');
  await w.sweep();
  await w.processInbox();
  const { group, assigned } = standing(w, '1');
  expect([group, assigned.length]).toEqual([scale, 1]);
  expect(assigned).not.toEqual([before]);
});

test('it takes nobody’s turn there where a person has the ticket, too', async () => {
  const w = await setUp(withOrgId(null));
  w.desk.personAssigns('1', 'linh@desk.example');
  w.clock.advance(40_000);
  w.desk.save('HD Ticket', '1', { custom_industry: 'x', custom_orgid: medium }, 'linh@desk.example');
  await w.sweep();
  await w.processInbox();
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['linh@desk.example'] });
  await w.route('2', withOrgId(medium, { custom_industry: 'x' }));
  expect(standing(w, '2').assigned).toEqual(['an@desk.example']);
});

test('a ticket that waited, and could not be written when somebody came back, stays with them in the team of ours', async () => {
  const w = pipelineWorld();
  w.desk.goAway('an@desk.example', 'binh@desk.example');
  await w.sweep();
  w.clock.advance(60_000);
  await w.route('1', withOrgId(medium));
  w.desk.comeBack('an@desk.example');
  w.desk.addRule('HD Ticket', { reqd: 1 });
  await w.assignWaiting();
  w.clock.advance(60_000);
  await w.processInbox();
  w.clock.advance(40_000);
  w.desk.save('HD Ticket', '1', { custom_industry: 'x' }, 'linh@desk.example');
  w.clock.advance(30_000);
  expect(await w.sweep()).toBe(1);
  await w.processInbox();
  const reason = expect.stringMatching(/^Auto-routed: .*Target team=Medium - Scale\.$/);
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'], reason });
});

/** A held claim's ticket in the team for Scale, whose company has moved to Grow since; nobody is there to have it, if so wished. */
async function claimed({ waits = false } = {}) {
  const w = pipelineWorld({ claims: 'hold' });
  if (waits) w.desk.goAway('an@desk.example', 'binh@desk.example');
  await w.sweep();
  w.clock.advance(60_000);
  await w.route('1', withOrgId(medium, byStranger));
  w.crm.answer = () => matched(sampleCompany());
  w.clock.advance(1_000);
  const refuses = () => w.desk.addRule('HD Ticket', { reqd: 1 });
  /** An agent fills in what the helpdesk wants, and may change more; the sweep sees it. */
  async function fillIn(more: Record<string, unknown> = {}) {
    w.clock.advance(40_000);
    w.desk.save('HD Ticket', '1', { custom_industry: 'x', ...more }, 'linh@desk.example');
    w.clock.advance(30_000);
    expect(await w.sweep()).toBe(1);
    await w.processInbox();
  }
  async function sync() {
    const synced = await w.sync('1', medium);
    await w.ctx.background.idle();
    return synced;
  }
  return { w, sync, refuses, fillIn };
}

/** The same once a Sync has confirmed the claim, and the helpdesk has refused to have that written. */
async function refusedConfirmation() {
  const made = await claimed();
  const before = standing(made.w, '1');
  await made.sync();
  made.refuses();
  await made.w.processInbox();
  return { ...made, before };
}

const states = async ({ decisionsOn }: Pick<PipelineWorld, 'decisionsOn'>) =>
  (await decisionsOn('1')).map(({ cause, state }) => `${cause} ${state}`);

test('a confirmed claim that could not be written keeps team and agent once somebody has filled the field (decision 9)', async () => {
  const { w, fillIn, before } = await refusedConfirmation();
  const { assigned } = before;
  expect(await states(w)).toEqual(['confirmed planned', 'webhook applied']);
  await fillIn();
  expect(await states(w)).toEqual(['confirmed applied', 'confirmed planned', 'webhook applied']);
  const reason = expect.stringMatching(/Shopplan=Grow 2024, .* Target team=Medium - Scale\./);
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned, reason });
});

test('a confirmed claim that is written late, while the CRM fails, keeps team and agent once the CRM answers', async () => {
  const { w, fillIn, before } = await refusedConfirmation();
  const { assigned } = before;
  w.crm.isDown = true;
  w.clock.advance(2 * 3_600_000);
  await fillIn();
  w.crm.isDown = false;
  w.clock.advance(3_600_000);
  await w.processInbox();
  expect(standing(w, '1')).toMatchObject({ group: scale, assigned });
  expect((await states(w))[0]).toBe('confirmed applied');
});

test('a confirmed claim that could not be written leaves the team that an agent has set since, and its agent', async () => {
  const { w, fillIn, before } = await refusedConfirmation();
  const { assigned, reason } = before;
  await fillIn({ agent_group: cs });
  expect(standing(w, '1')).toMatchObject({ group: cs, assigned, reason });
  expect((await w.decided('1'))?.outcome.team).toBeNull();
});

test.each(['confirmed', 'sync_undone'] as const)(
  'who comes back gets a ticket that waited, and keeps it in its team, though the helpdesk refused to write it: %s',
  async (cause) => {
    for (const change of [{}, { agent_group: null }, { agent_group: cs }]) {
      const { w, sync, refuses, fillIn } = await claimed({ waits: true });
      const synced = await sync();
      await w.processInbox();
      if (cause === 'sync_undone') {
        await w.undoSync('1', synced);
        await w.processInbox();
      }
      w.desk.comeBack('an@desk.example');
      refuses();
      await w.assignWaiting();
      w.clock.advance(60_000);
      await w.processInbox();
      expect((await states(w))[0]).toBe(`${cause} planned`);
      await fillIn(change);
      const moved = change.agent_group === cs;
      const left = moved ? { group: cs, assigned: [] } : { group: scale, assigned: ['an@desk.example'] };
      expect(standing(w, '1')).toMatchObject(left);
      expect((await w.decided('1'))?.assignment.state).toBe(moved ? 'none' : 'assigned');
    }
  },
);

test('a ticket that is saved and still refused waits again until it changes', async () => {
  const w = await setUp(withOrgId(null));
  w.clock.advance(40_000);
  w.desk.put('HD Ticket', '1', { modified: await w.desk.helpdesk.stampOf(w.clock(), w.ctx.signal) });
  expect(await w.sweep()).toBe(1);
  await w.processInbox();
  w.clock.advance(30_000);
  expect(await w.sweep()).toBe(0);
  expect(standing(w, '1').group).not.toBe(cs);
});

test('a ticket that is deleted meanwhile leaves no note', async () => {
  const w = await setUp();
  w.desk.remove('HD Ticket', '1');
  w.clock.advance(600_000);
  await w.processInbox();
  expect([await notes.refusals(w.db), await waitingIn(w.db)]).toEqual([[], 0]);
});
