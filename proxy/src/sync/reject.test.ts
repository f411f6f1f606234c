import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test, vi } from 'vitest';
import { growingOwner as boss, growing, medium } from '#crm/testing/sample-companies.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import * as rejections from '#store/rejections.ts';
import * as syncs from '#store/syncs.ts';
import { newDesk } from '#testing/desk.ts';
import { pipelineWorld } from '#testing/pipeline-kit.ts';
import { rejectEarlier } from '#testing/rejected.ts';
import { callBy } from '#testing/test-context.ts';
import { rejectCompany, rejectEndpoint, undoRejection } from './reject.ts';

const stranger = 'ke@hopthu.example';
const about = {
  ticket: '1',
  company_id: growing,
  bitrix_id: null,
  reason: 'wrong_id',
  note: '',
  expected_customer: null,
} as const;

const staff = 'an@desk.example';

describe('a rejection', () => {
  /** `counts`: for the sender's other tickets; 'signedIn': also where they are signed in. */
  test.each<[string, { owner: string; raisedBy?: string; isSwept?: boolean; counts: boolean | 'signedIn' }]>([
    ['counts for the sender who made the ticket', { owner: boss, counts: 'signedIn' }],
    [
      'counts for the sender who made it, where only the sweep found it',
      { owner: boss, isSwept: true, counts: 'signedIn' },
    ],
    ['counts for the sender of whom the webhook told', { owner: staff, counts: true }],
    ['says nothing of an address typed by a guest', { owner: 'Guest', counts: false }],
    [
      'says nothing of an address that may have changed before the sweep',
      { owner: staff, isSwept: true, counts: false },
    ],
    ['says nothing of an address put in the place of another', { owner: staff, raisedBy: stranger, counts: false }],
  ])('%s', async (_, { owner, raisedBy = boss, isSwept = false, counts }) => {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', { owner, raised_by: raisedBy, custom_orgid: growing });
    await (isSwept ? w.runFound('1') : w.run('1'));
    w.desk.put('HD Ticket', '1', { raised_by: boss });
    const { rejection_id } = await rejectCompany(callBy(w.ctx, 'an'), about);
    const record = { sender: counts ? boss : null, signedIn: counts === 'signedIn' };
    expect(await rejections.get(w.db, rejection_id)).toMatchObject(record);
    expect(await rejections.standing(w.db, w.desk.keyOf('1'), null)).toHaveLength(1);
  });
});

test('an agent who presses twice has rejected once; for another the ticket has changed since', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  await w.run('1');
  const seen = { ...about, expected_customer: String(w.desk.customerOf('1')) };
  const { rejection_id: id } = await rejectCompany(callBy(w.ctx, 'an'), seen);
  const ticket = { customer: null, previous_customer: seen.expected_customer };
  expect(await rejectCompany(callBy(w.ctx, 'an'), seen)).toMatchObject({ rejection_id: id, ticket });
  const { gate, caller, signal } = callBy(w.ctx, 'an');
  expect((await gate.requireTicketWrite(caller, '1', signal)).file.ticket.customer).toBeNull();
  await expect(rejectCompany(callBy(w.ctx, 'binh'), seen)).rejects.toMatchObject({ code: 'changed_since' });
});

test('every ticket and every company has a rejection of its own; an undo lifts all of one company for the sender', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  for (const name of ['1', '2']) await w.route(name, { owner: boss, raised_by: boss, custom_orgid: growing });
  const reject = async (ticket: string, company_id: OrgId) =>
    (await rejectCompany(callBy(w.ctx, 'an'), { ...about, ticket, company_id })).rejection_id;
  const [first, second, other] = [await reject('1', growing), await reject('2', growing), await reject('1', medium)];
  expect(new Set([first, second, other]).size).toBe(3);
  await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id: first });
  expect(await rejections.standing(w.db, null, boss)).toMatchObject([{ id: other }]);
});

test('one undo gives back all that was taken off by pressing twice', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  const call = callBy(w.ctx, 'an');
  await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  const customer = w.desk.customerOf('1');
  w.desk.changes('1', staff, { customer: null, custom_customer_segment: 'SME' });
  await rejectCompany(call, about);
  w.desk.changes('1', staff, { customer, custom_customer_segment: 'Medium' });
  const { rejection_id } = await rejectCompany(call, about);
  expect([w.desk.customerOf('1'), w.desk.routingOf('1').segment]).toEqual([null, null]);
  await undoRejection(call, { ticket: '1', rejection_id });
  expect([w.desk.customerOf('1'), w.desk.routingOf('1').segment]).toEqual([customer, 'Medium']);
});

test('a customer that a Sync made the company is taken off and released, and is the company again by one undo', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  const call = callBy(w.ctx, 'an');
  w.desk.customers.set('Hand', {});
  await w.route('1', { owner: boss, raised_by: boss });
  const { sync_id: id } = await w.sync('1', growing, { adopt: 'Hand' });
  const state = async () => ({
    customer: w.desk.customerOf('1'),
    orgId: w.desk.customers.get('Hand')?.platformOrgId,
    sync: (await syncs.latest(w.db, w.desk.keyOf('1')))?.id,
  });
  expect(await state()).toEqual({ customer: 'Hand', orgId: growing, sync: id });
  await rejectCompany(call, about);
  const { rejection_id } = await rejectCompany(call, about);
  expect(await state()).toEqual({ customer: null, orgId: undefined, sync: undefined });
  await undoRejection(call, { ticket: '1', rejection_id });
  expect(await state()).toEqual({ customer: 'Hand', orgId: growing, sync: id });
});

describe('what a rejection takes off the ticket', () => {
  async function routed() {
    const w = pipelineWorld({ claims: 'accept' });
    await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
    const call = callBy(w.ctx, 'an');
    return {
      w,
      call,
      customer: w.desk.customerOf('1'),
      reject: (how = {}) => rejectCompany(call, { ...about, ...how }),
    };
  }

  test('is the company’s customer, which an undo puts back', async () => {
    const { w, call, customer, reject } = await routed();
    const { rejection_id, ...rejected } = await reject();
    expect(rejected.ticket).toEqual({ name: '1', customer: null, previous_customer: customer });
    expect(w.desk.customerOf('1')).toBeNull();
    expect(rejected.changes.map(({ field }) => field)).not.toContain('customer');
    const undone = await undoRejection(call, { ticket: '1', rejection_id });
    expect(undone.ticket).toEqual({ name: '1', customer, previous_customer: null });
    const changed = undone.changes.map(({ field }) => field);
    expect(changed).toContain('custom_customer_segment');
    expect(changed).not.toContain('customer');
    expect(w.desk.customerOf('1')).toBe(customer);
    const { file } = await call.gate.requireTicketWrite(call.caller, '1', call.signal);
    expect(file.ticket.customer).toBe(customer);
    expect((await undoRejection(call, { ticket: '1', rejection_id })).kept).toBeUndefined();
  });

  test('is not another’s, which stays when it is undone', async () => {
    const { w, call, reject } = await routed();
    w.desk.customers.set('Khác');
    w.desk.put('HD Ticket', '1', { customer: 'Khác' });
    const { rejection_id: id, ticket } = await reject();
    expect(ticket).toEqual({ name: '1', customer: 'Khác', previous_customer: 'Khác' });
    expect((await rejections.get(w.db, id))?.taken).toMatchObject({ customer: null });
    w.desk.customers.set('Ba');
    for (const present of ['Khác', 'Ba']) {
      w.desk.setsCustomer('1', present, staff);
      const undone = await undoRejection(call, { ticket: '1', rejection_id: id });
      expect(undone.changes.map(({ field }) => field)).not.toContain('customer');
      expect([undone.kept, w.desk.customerOf('1')]).toEqual([undefined, present]);
    }
  });

  test('and is put back there alone, wherever its sender’s tickets have it undone', async () => {
    const { w, call, reject } = await routed();
    const { rejection_id } = await reject();
    await w.route('2', { owner: boss, raised_by: boss });
    w.desk.customers.set('Khác');
    w.desk.setsCustomer('2', 'Khác', staff);
    const undone = await undoRejection(call, { ticket: '2', rejection_id });
    const ticket = { name: '2', customer: 'Khác', previous_customer: 'Khác' };
    expect(undone).toEqual({ action: 'undo', rejection_id, ticket, changes: [] });
    expect(w.desk.customerOf('1')).toBeNull();
    expect(await rejections.standing(w.db, w.desk.keyOf('1'), boss)).toEqual([]);
  });

  test('is told with the company that was on screen, as far as the CRM has it', async () => {
    const told = async (bitrix_id: string | null) => {
      const { w, reject } = await routed();
      const { crmCompanyId = null, companyName = null } =
        (await rejections.get(w.db, (await reject({ bitrix_id })).rejection_id)) ?? {};
      return { crmCompanyId, companyName };
    };
    const found = await told(null);
    expect(found).toEqual({ crmCompanyId: expect.any(String), companyName: expect.any(String) });
    expect(await told(found.crmCompanyId)).toEqual(found);
    expect(await told('99')).toEqual({ crmCompanyId: '99', companyName: null });
  });
});

describe('while a rejection is made', () => {
  const another = 'Khác';

  /** A ticket that has another customer, or none, by the time that a rejection writes to it. */
  async function changed(before: string | null, meanwhile: string | null) {
    const w = pipelineWorld({ claims: 'accept' });
    await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
    for (const name of [another, 'Ba']) w.desk.customers.set(name);
    if (before !== null) w.desk.setsCustomer('1', before, staff);
    const verb = before === null ? 'link' : 'route';
    w.desk.before(verb, () => w.desk.changes('1', staff, { customer: meanwhile }));
    return { w, rejecting: rejectCompany(callBy(w.ctx, 'an'), about) };
  }

  test('another customer that is put on the ticket stays, and the rejection is refused', async () => {
    const { w, rejecting } = await changed(null, another);
    await expect(rejecting).rejects.toMatchObject({ code: 'changed_since' });
    expect(w.desk.customerOf('1')).toBe(another);
  });

  test('the company’s may be taken off by somebody else', async () => {
    const { w, rejecting } = await changed(null, null);
    expect(await rejecting).toMatchObject({ ticket: { customer: null } });
    expect(w.desk.routingOf('1').segment).toBeNull();
  });

  test('one that is none of the company’s may make way for another, and is not given back', async () => {
    const { w, rejecting } = await changed(another, 'Ba');
    const { rejection_id, ticket } = await rejecting;
    expect(ticket.customer).toBe('Ba');
    expect((await rejections.get(w.db, rejection_id))?.taken).toMatchObject({ customer: null, instead: 'Ba' });
  });
});

test('a rejection on a ticket that somebody else reads leaves it no customer', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
  w.desk.put('Contact', stranger, { owner: stranger, email_id: stranger });
  w.desk.changes('1', stranger, { contact: stranger });
  expect((await rejectCompany(callBy(w.ctx, 'an'), about)).ticket.customer).toBeNull();
  expect(w.desk.customerOf('1')).toBeNull();
});

test('a rejection leaves alone what is another company’s, or became the company on another ticket', async () => {
  const w = pipelineWorld();
  w.desk.customers.set('Hand', {});
  for (const ticket of ['1', '2'])
    w.desk.insert(ticket, { owner: boss, raised_by: boss, via_customer_portal: 1, custom_orgid: growing });
  w.desk.setsCustomer('1', 'Hand', staff);
  await w.run('1');
  const { sync_id: id } = await w.sync('2', medium);
  w.desk.setsCustomer('2', 'Hand', staff);
  await rejectCompany(callBy(w.ctx, 'an'), { ...about, ticket: '2' });
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBe(growing);
  expect(w.desk.customerOf('2')).toBeNull();
  expect(await syncs.latest(w.db, w.desk.keyOf('2'))).toMatchObject({ id });
});

test('on a ticket without customer, none is what was on screen', async () => {
  const w = pipelineWorld({ claims: 'hold' });
  await w.route('1', { owner: stranger, raised_by: stranger, custom_orgid: growing });
  expect(w.desk.customerOf('1')).toBeNull();
  await rejectCompany(callBy(w.ctx, 'an'), { ...about, expected_customer: '' });
  expect(await rejections.standing(w.db, w.desk.keyOf('1'), null)).toHaveLength(1);
});

test('nothing is rejected for a customer that was not on screen', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  const seen = { ...about, expected_customer: 'Khác' };
  await expect(rejectCompany(callBy(w.ctx, 'an'), seen)).rejects.toMatchObject({ code: 'changed_since' });
  expect(await rejections.standing(w.db, w.desk.keyOf('1'), null)).toEqual([]);
});

const nobodys = { owner: staff, raised_by: null };

test.each<[string, { owner: string; raised_by: string | null }, { owner: string; raised_by: string | null }?]>([
  ['another sender', { owner: stranger, raised_by: stranger }],
  ['nobody', nobodys],
  ['nobody, as is the first', nobodys, nobodys],
])('a rejection is not found on another ticket, of %s', async (_, made, first = { owner: boss, raised_by: boss }) => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', { ...first, custom_orgid: growing });
  w.desk.put('HD Ticket', '1', first);
  const { rejection_id } = await rejectCompany(callBy(w.ctx, 'an'), about);
  await w.route('2', made);
  // The helpdesk itself puts whoever makes a ticket there, where nobody is named.
  w.desk.put('HD Ticket', '2', made);
  const undoing = undoRejection(callBy(w.ctx, 'an'), { ticket: '2', rejection_id });
  await expect(undoing).rejects.toMatchObject({ code: 'rejection_not_found' });
  expect(await rejections.standing(w.db, w.desk.keyOf('1'), null)).toHaveLength(1);
});

test('a rejection releases the customer that became the company on this ticket, and its undo makes it that again', async () => {
  const w = pipelineWorld();
  w.desk.customers.set('Hand', {});
  w.desk.insert('1', { owner: boss, raised_by: boss, via_customer_portal: 1, custom_orgid: growing });
  w.desk.setsCustomer('1', 'Hand', staff);
  await w.run('1');
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBe(growing);
  const { rejection_id } = await rejectCompany(callBy(w.ctx, 'an'), about);
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBeUndefined();
  await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id });
  expect(w.desk.customers.get('Hand')?.platformOrgId).toBe(growing);
});

test('a rejection takes off a customer that is renamed at that moment', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  await w.run('1');
  const name = w.desk.customerOf('1') ?? '';
  vi.spyOn(w.ctx.helpdesk.customers, 'read').mockImplementationOnce(async () => {
    w.desk.customers.set('renamed', w.desk.customers.get(name) ?? {});
    w.desk.customers.delete(name);
    w.desk.put('HD Ticket', '1', { customer: 'renamed' });
    return null;
  });
  expect((await rejectCompany(callBy(w.ctx, 'an'), about)).ticket.customer).toBeNull();
  expect(w.desk.customerOf('1')).toBeNull();
});

test('a rejection ends where the ticket’s customer has no record', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  const name = w.desk.customerOf('1');
  const reading = vi.spyOn(w.ctx.helpdesk.customers, 'read').mockResolvedValue(null);
  expect((await rejectCompany(callBy(w.ctx, 'an'), about)).ticket.customer).toBe(name);
  reading.mockRestore();
});

test('a rejection takes off what a customer decided, though the ticket names another company', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.customers.set('Hand', { platformOrgId: growing, segment: 'Medium', shopPlan: 'Grow' });
  w.desk.insert('1', { owner: stranger, raised_by: stranger, custom_orgid: medium });
  w.desk.setsCustomer('1', 'Hand', staff);
  await w.run('1');
  expect(w.desk.routingOf('1').servicePlan).toContain('Grow');
  const { rejection_id: id } = await rejectCompany(callBy(w.ctx, 'an'), about);
  expect(await rejections.get(w.db, id)).toMatchObject({ orgId: growing, crmCompanyId: '63002' });
  expect(w.desk.customerOf('1')).toBeNull();
  expect(w.desk.routingOf('1')).toMatchObject({ servicePlan: null, reason: expect.stringContaining('taken back') });
});

test('a rejection says that history stays, and an undo that puts nothing back says why', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  await w.run('1');
  const rejected = await rejectCompany(callBy(w.ctx, 'an'), about);
  expect(rejectEndpoint.message(rejected)).toContain('The history of the ticket keeps what it showed.');
  const { rejection_id: rejectionId } = rejected;
  w.desk.customers.set('Khác');
  w.desk.put('HD Ticket', '1', { customer: 'Khác' });
  const undone = await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id: rejectionId });
  expect(rejectEndpoint.message(undone)).toMatch(/^Rejection undone\. Nothing was put back/);
  expect(undone).toMatchObject({ kept: 'other_customer', changes: [], ticket: { customer: 'Khác' } });
});

describe('under hold, an undo', () => {
  /** An object: what somebody of the desk changes on the ticket. */
  type Step = 'runLast' | 'sync' | 'undoSync' | 'run' | 'runFound' | 'reject' | Record<string, string>;
  const swap = { raised_by: stranger };
  const hand = { customer: 'Hand' };
  const inField = { custom_orgid: growing };

  /** What a ticket of the company shows before the rejection and once that is undone, and what the undo says. */
  async function undone(steps: readonly Step[], values: Record<string, unknown>) {
    const w = pipelineWorld({ claims: 'hold' });
    const call = callBy(w.ctx, 'an');
    const company_id = steps.includes(hand) ? medium : growing;
    w.desk.insert('1', { owner: 'Administrator', raised_by: boss, ...values });
    w.desk.customers.set('Hand', { platformOrgId: medium, segment: 'Medium', shopPlan: 'Grow' });
    w.desk.customers.set('Khác');
    if (!steps.includes('runFound')) await w.hear('1');
    const shown = () => ({ customer: w.desk.customerOf('1'), ...w.desk.routingOf('1') });
    let [id, before, sync] = ['', shown(), { sync_id: '' as string | null }];
    for (const step of steps) {
      w.clock.advance(1_000);
      if (typeof step === 'object') w.desk.changes('1', staff, step);
      else if (step === 'runLast') {
        w.desk.failNext('customers.create', new HelpdeskError('bad_answer', 'a page'));
        await w.run('1', 9);
      } else if (step === 'sync') sync = await w.sync('1', growing);
      else if (step === 'undoSync') await w.undoSync('1', sync);
      else if (step === 'reject')
        [before, id] = [shown(), (await rejectCompany(call, { ...about, company_id })).rejection_id];
      else await w[step]('1');
    }
    const told = await undoRejection(call, { ticket: '1', rejection_id: id });
    return { before, after: shown(), told, synced: await syncs.latest(w.db, w.desk.keyOf('1')) };
  }

  test.each<[string, Step[], (string | null)?]>([
    ['of which a webhook told', ['run', 'reject', swap]],
    ['that the sweep found', ['runFound', 'reject', swap]],
    ['that an agent had synced for the former', ['run', 'sync', 'run', 'reject', swap]],
    ['whose sender was there before the rejection', ['run', swap, 'reject']],
    ['whose customer could not be made', ['runLast', 'reject', swap]],
    ['that an agent had given another customer', ['run', { customer: 'Khác' }, 'reject', swap], 'Khác'],
    ['that went by another company’s customer', [hand, 'run', { customer: 'Khác' }, 'reject', swap], 'Khác'],
  ])(
    'tells nothing to whoever was put in the sender’s place, on a ticket %s, and says so',
    async (_, steps, customer = null) => {
      const { before, after, told, synced } = await undone(steps, inField);
      expect(synced).toBeNull();
      expect(before).toMatchObject({ segment: 'Medium', reason: expect.stringContaining('Segment=Medium') });
      expect(told).toMatchObject({ kept: 'sender_not_verified', changes: [], ticket: { customer } });
      expect(rejectEndpoint.message(told)).toMatch(/^Rejection undone\. Nothing was put back: .*sender/);
      expect(after).toMatchObject({ customer, segment: null, shopplan: null, servicePlan: null });
      expect(after.reason).toBe('Auto-routed: Company taken back. Target team=Medium - Grow.');
    },
  );

  test('tells nothing to a stranger for whom a Sync had vouched that was undone since', async () => {
    const { before, after, told } = await undone(['run', 'sync', 'run', 'reject', 'undoSync'], { raised_by: stranger });
    expect(before).toMatchObject({ segment: 'Medium' });
    expect(told).toMatchObject({ kept: 'sender_not_verified', changes: [] });
    expect(after).toMatchObject({ customer: null, segment: null, shopplan: null, servicePlan: null });
  });

  test('gives them no customer either, of which nothing else was told', async () => {
    const { before, after, told } = await undone([hand, 'reject', swap], inField);
    expect([before.customer, after.customer, told.kept]).toEqual(['Hand', null, 'sender_not_verified']);
  });

  test.each<[string, Step[], Record<string, unknown>]>([
    ['what an agent had synced for whoever is the sender', ['run', swap, 'sync', 'run', 'reject'], inField],
    ['what an agent has synced for them since', ['run', 'reject', swap, 'sync'], inField],
    [
      'what tells nothing, such as the org id of a held claim',
      [swap, 'run', 'reject'],
      { description: `Org ID: ${growing}` },
    ],
  ])('puts back %s', async (_, steps, values) => {
    const { before, after, told } = await undone(steps, values);
    expect(told.kept).toBeUndefined();
    expect(told.changes).not.toEqual([]);
    expect(after).toEqual(before);
  });
});

test('a rejection that its agent takes back does not stand again when a Sync that had lifted it is undone', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  await w.run('1');
  const { rejection_id: rejectionId } = await rejectCompany(callBy(w.ctx, 'an'), about);
  const standing = () => rejections.standing(w.db, w.desk.keyOf('1'), null);
  const match = { orgId: growing, crmCompanyId: null, signedIn: true };
  await rejections.lift(w.db, w.desk.keyOf('1'), null, match, 'sync 1', w.clock());
  await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id: rejectionId });
  await rejections.restore(w.db, 'sync 1');
  expect(await standing()).toEqual([]);
});

test('a Sync that a rejection had ended counts again once that is taken back', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', { owner: boss, raised_by: boss });
  const { sync_id: id } = await w.sync('1', growing);
  const { rejection_id } = await rejectCompany(callBy(w.ctx, 'an'), about);
  expect(await syncs.latest(w.db, w.desk.keyOf('1'))).toBeNull();
  await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id });
  expect(await syncs.latest(w.db, w.desk.keyOf('1'))).toMatchObject({ id });
});

test('a Sync that a rejection had ended does not count again where another was made since', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.insert('1', { owner: boss, raised_by: boss });
  await w.run('1');
  await w.sync('1', growing);
  const { rejection_id: rejectionId } = await rejectCompany(callBy(w.ctx, 'an'), about);
  const later = await w.sync('1', growing);
  await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id: rejectionId });
  await w.undoSync('1', later);
  expect(await syncs.latest(w.db, w.desk.keyOf('1'))).toBeNull();
});

test('a Sync that its agent has undone does not count again when a rejection that had ended it is taken back', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.insert('1', { owner: boss, raised_by: boss });
  await w.run('1');
  const synced = await w.sync('1', growing);
  const { rejection_id: rejectionId } = await rejectCompany(callBy(w.ctx, 'an'), about);
  await w.undoSync('1', synced);
  await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id: rejectionId });
  expect(await syncs.latest(w.db, w.desk.keyOf('1'))).toBeNull();
});

test('a rejection that was broken off before it took anything off can be taken back', async () => {
  const w = pipelineWorld({ claims: 'accept' });
  await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  const customer = w.desk.customerOf('1');
  const rejection_id = await rejectEarlier(w.db, { ticket: w.desk.keyOf('1'), orgId: growing, sender: null });
  const undone = await undoRejection(callBy(w.ctx, 'an'), { ticket: '1', rejection_id });
  expect(undone).toMatchObject({ ticket: { customer, previous_customer: null }, changes: [] });
  expect(await rejections.standing(w.db, w.desk.keyOf('1'), null)).toEqual([]);
});

test('a customer that the helpdesk gives the ticket again from its contact was not taken off', async () => {
  const w = pipelineWorld({ claims: 'accept', desk: newDesk({ generation: '1.24' }) });
  await w.route('1', { owner: boss, raised_by: boss, custom_orgid: growing });
  const customer = w.desk.customerOf('1');
  const links = [{ link_doctype: 'HD Customer', link_name: customer }];
  w.desk.put('Contact', 'Chủ', { email_ids: [{ email_id: boss }], links });
  w.desk.put('HD Ticket', '1', { contact: 'Chủ' });
  const { rejection_id: id, ticket } = await rejectCompany(callBy(w.ctx, 'an'), about);
  expect(ticket.customer).toBe(customer);
  expect((await rejections.get(w.db, id))?.taken).toMatchObject({ customer: null, instead: customer });
});
