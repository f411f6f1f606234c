import type { ClaimsMode } from '@deskside/shared/routing';
import { expect, test, vi } from 'vitest';
import { growingOwner as boss, growing, medium } from '#crm/testing/sample-companies.ts';
import { recordResponsible } from '#profile/follow-up.ts';
import { scale } from '#routing/testing/pipeline-rules.ts';
import { rejectCompany, undoRejection } from '#sync/reject.ts';
import { pipelineWorld } from '#testing/pipeline-kit.ts';
import { callBy } from '#testing/test-context.ts';

// A stranger's Contact has the boss's address, and comes onto the ticket while it is being worked on.

const stranger = 'ke@hopthu.example';
const agent = 'an@desk.example';

function world(claims: ClaimsMode) {
  const w = pipelineWorld({ claims });
  const { desk, clock } = w;
  for (const name of [stranger, boss]) desk.put('User', name, { user_type: 'Website User', enabled: 1, roles: [] });
  return {
    ...w,
    /** A ticket of the boss that names this company. */
    comes(orgId = growing, customer: string | null = null) {
      desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: orgId });
      if (customer !== null) desk.put('HD Ticket', '1', { customer });
    },
    /** Whoever saves the ticket has the helpdesk fill in the contact. */
    fillsContact(by: string | null = agent) {
      desk.put('Contact', stranger, { owner: stranger, email_id: boss });
      clock.advance(100);
      if (by === null) desk.put('HD Ticket', '1', { contact: stranger });
      else desk.changes('1', by, { contact: stranger });
    },
    /** Runs it until nothing is left to do. */
    async settle() {
      for (let times = 0; times < 3; times += 1) {
        clock.advance(61_000);
        await w.run('1').catch(() => {});
      }
      expect(desk.ticket('1').contact).toBe(stranger);
    },
  };
}

type World = ReturnType<typeof world>;

/** What happens to the ticket; gives the customer that stays on it. */
const stories: Record<string, (w: World) => Promise<string | null>> = {
  async 'an agent saves it after it was judged'(w) {
    w.comes();
    w.desk.before('route', () => w.fillsContact());
    return null;
  },
  async 'an agent saves it while a decision is left half done'(w) {
    w.comes();
    w.desk.before('assign', () => w.desk.failNext('tickets.write'));
    await w.run('1').catch(() => {});
    expect((await w.decided('1'))?.state).toBe('planned');
    w.fillsContact();
    return null;
  },
  async 'an agent saves it while the CRM is asked, and there is nothing to link'(w) {
    await w.route('0', { owner: boss, raised_by: boss, custom_orgid: growing });
    const customer = w.desk.customerOf('0');
    w.comes(growing, customer);
    const { read } = w.desk.helpdesk.tickets;
    w.desk.helpdesk.tickets.read = async (...asked) => {
      const ticket = await read(...asked);
      w.desk.helpdesk.tickets.read = read;
      w.fillsContact();
      return ticket;
    };
    return customer;
  },
  async 'a Sync with another company is taken back afterwards'(w) {
    w.comes();
    await w.run('1');
    expect(w.desk.customerOf('1')).not.toBeNull();
    w.clock.advance(1000);
    const done = await w.sync('1', medium, { reroute: true });
    expect(w.desk.routingOf('1').segment).toBe('Medium');
    w.fillsContact();
    expect(await w.undoSync('1', done)).toMatchObject({ ticket: { customer: null } });
    return null;
  },
  async 'a rejection is taken back afterwards'(w) {
    w.comes();
    await w.run('1');
    const call = callBy(w.ctx, 'an');
    const reason = { reason: 'wrong_id', note: '' } as const;
    const about = { ticket: '1', company_id: growing, bitrix_id: null, ...reason, expected_customer: null };
    const { rejection_id: rejectionId } = await rejectCompany(call, about);
    w.fillsContact();
    expect(await undoRejection(call, { ticket: '1', rejection_id: rejectionId })).toMatchObject({
      kept: 'read_by_other',
    });
    return null;
  },
};

test.each(Object.entries(stories))(
  'a ticket that a stranger reads shows nothing of a company: %s',
  async (_, story) => {
    for (const claims of ['accept', 'hold'] as const) {
      const w = world(claims);
      const customer = await story(w);
      await w.settle();
      const { reason, ...shown } = w.desk.routingOf('1');
      expect([claims, shown]).toMatchObject([claims, { segment: null, servicePlan: null, shopplan: null }]);
      expect(reason).not.toMatch(/Segment=(?!-)/);
      expect(w.desk.customerOf('1')).toBe(customer);
    }
  },
);

/** What whoever reads a ticket gets of its past. */
const pastOf = ({ desk }: World, ticket: string) =>
  desk
    .all('Version')
    .filter(({ docname }) => docname === ticket)
    .map(({ data }) => String(data))
    .join('\n');

test.each<ClaimsMode>(['accept', 'hold'])(
  'a stranger’s contact that can be found before we write: nothing of the company was ever there (claims %s)',
  async (claims) => {
    const w = world(claims);
    w.comes(medium);
    w.desk.put('Contact', stranger, { owner: stranger, email_id: boss });
    await w.run('1');
    expect(w.desk.ticket('1').contact).toBe(stranger);
    expect(w.desk.routingOf('1')).toMatchObject({ agentGroup: scale, segment: null, servicePlan: null });
    expect(w.desk.customerOf('1')).toBeNull();
    const past = pastOf(w, '1');
    expect(past).toContain(scale);
    expect(past).not.toMatch(/Shop \d|"Medium"|OMNI|Segment=(?!-)/);
  },
);

test('a stranger’s contact that comes once the ticket is linked has all of it judged anew', async () => {
  const w = world('accept');
  w.comes();
  const { tickets } = w.desk.helpdesk;
  const { read } = tickets;
  w.desk.before('link', () => {
    tickets.read = (...asked) => {
      tickets.read = read;
      w.fillsContact(null);
      return read(...asked);
    };
  });
  await expect(w.run('1')).rejects.toMatchObject({ code: 'changed_since' });
  expect(w.desk.routingOf('1')).toMatchObject({ agentGroup: null, segment: null });
});

test('a ticket without contact is linked and routed with one look for a contact', async () => {
  const w = world('accept');
  const { people } = w.desk.helpdesk;
  const look = vi.spyOn(people, 'hasContact');
  w.comes();
  await w.run('1');
  expect(w.desk.customerOf('1')).not.toBeNull();
  expect(look).toHaveBeenCalledTimes(1);
});

test.each<ClaimsMode>(['accept', 'hold'])(
  'a stranger’s contact that comes while we write: what was written is taken back, counted and logged (claims %s)',
  async (claims) => {
    const w = world(claims);
    w.comes();
    w.desk.before('route', () => w.fillsContact(null));
    await w.run('1');
    expect(w.faults).toEqual(['company_data_taken_back']);
    expect(w.desk.routingOf('1')).toMatchObject({ segment: null, servicePlan: null, shopplan: null });
    expect(w.desk.customerOf('1')).toBeNull();
    // The helpdesk keeps what stood there.
    expect(pastOf(w, '1')).toContain('"Medium"');
    await w.settle();
    expect(w.faults).toHaveLength(1);
  },
);

test('a contact of the sender’s own that comes while we write takes nothing back', async () => {
  const w = world('accept');
  w.comes();
  w.desk.before('route', () => w.desk.put('Contact', 'Boss', { owner: agent, email_id: boss }));
  await w.run('1');
  expect(w.desk.ticket('1').contact).toBe('Boss');
  expect(w.desk.routingOf('1').segment).toBe('Medium');
  expect(w.faults).toEqual([]);
});

test('a ticket without contact is not saved where the helpdesk would find none', async () => {
  const w = world('accept');
  w.comes(medium);
  await w.run('1');
  expect(w.desk.writes.filter((write) => /^(link|route) /.test(write))).toHaveLength(2);
});

test('nor is one that has a contact', async () => {
  const w = world('accept');
  w.comes(medium);
  w.desk.put('Contact', 'Boss', { owner: agent, email_id: boss });
  w.desk.put('HD Ticket', '1', { contact: 'Boss' });
  await w.run('1');
  expect(w.desk.calls).not.toContain('tickets.save');
});

test('what a Sync confirmed is taken back, where our own write fills in the contact', async () => {
  const w = world('hold');
  w.comes(medium);
  await w.run('1');
  await w.sync('1', medium);
  w.desk.before('route', () => w.fillsContact(null));
  await w.settle();
  expect(w.desk.routingOf('1')).toMatchObject({ segment: null, servicePlan: null, shopplan: null });
});

test('an undone Sync gives no reason back that names another company, where a stranger reads the ticket by then', async () => {
  const w = world('accept');
  w.comes(medium);
  await w.run('1');
  expect((await w.decided('1'))?.outcome.reason).toContain('Segment=Medium');
  const done = await w.sync('1', growing);
  await w.run('1');
  w.fillsContact();
  await w.undoSync('1', done);
  expect(await w.decided('1')).toMatchObject({
    cause: 'sync_undone',
    outcome: { reason: expect.stringMatching(/^Auto-routed: Company taken back\./) },
  });
});

test('a Sync that is refused for who reads the ticket since makes no customer the company', async () => {
  const w = world('hold');
  w.comes(medium);
  const hand = 'Công ty làm tay';
  w.desk.put('HD Customer', hand, { owner: agent, customer_name: hand });
  await w.run('1');
  w.desk.before('link', () => w.fillsContact(null));
  await expect(w.sync('1', medium, { adopt: hand })).rejects.toMatchObject({ code: 'ticket_read_by_other' });
  expect(w.desk.customerOf('1')).toBeNull();
  expect(w.desk.document('HD Customer', hand)?.custom_platform_orgid ?? null).toBeNull();
});

test('a Sync makes no customer where the contact that the helpdesk would fill in is somebody else’s', async () => {
  const w = world('hold');
  w.comes(medium);
  await w.run('1');
  w.desk.put('Contact', stranger, { owner: stranger, email_id: boss });
  await expect(w.sync('1', medium)).rejects.toMatchObject({ code: 'ticket_read_by_other' });
  expect(w.desk.all('HD Customer')).toEqual([]);
});

test('an account owner is not told on a ticket whose contact is replaced at the very moment', async () => {
  const w = world('accept');
  w.comes(medium);
  w.desk.put('Contact', 'Boss', { owner: agent, email_id: boss });
  w.desk.put('HD Ticket', '1', { contact: 'Boss' });
  const { ticket } = await w.desk.fileOf('1');
  w.fillsContact();
  const owner = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
  recordResponsible(w.ctx, ticket, { orgId: medium, owner: { ...owner, status: 'active' } });
  await w.ctx.background.idle();
  expect(w.desk.ticket('1').custom_responsible ?? null).toBeNull();
});
