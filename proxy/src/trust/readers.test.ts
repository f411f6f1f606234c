import type { ClaimsMode } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { recordResponsible } from '#profile/follow-up.ts';
import { pipelineWorld } from '#routing/testing/pipeline-kit.ts';
import * as decisions from '#store/decisions.ts';
import { rejectCompany, undoRejection } from '#sync/reject.ts';
import { growingOwner as boss, growing, medium } from '#testing/sample-companies.ts';
import { callBy } from '#testing/test-context.ts';

// A stranger's Contact has the boss's address, and comes onto the ticket while it is being worked on.

const stranger = 'ke@hopthu.example';
const agent = 'an@desk.example';
const claimed = { custom_orgid: growing };
const nothing = { segment: null, servicePlan: null, shopplan: null };

function world(claims: ClaimsMode) {
  const w = pipelineWorld({ claims });
  const { desk, clock } = w;
  for (const name of [stranger, boss]) desk.put('User', name, { user_type: 'Website User', enabled: 1, roles: [] });
  return {
    ...w,
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

describe.each<ClaimsMode>(['accept', 'hold'])(
  'what is written to a ticket that a stranger reads by then, claims: %s',
  (mode) => {
    test('is taken back, where an agent saved it after it was judged', async () => {
      const w = world(mode);
      w.desk.insert('1', { owner: boss, raised_by: boss, ...claimed });
      w.desk.before('route', () => w.fillsContact());
      await w.settle();
      expect(w.desk.routingOf('1')).toMatchObject(nothing);
      expect(w.desk.customerOf('1')).toBeNull();
    });

    test('is taken back, where the decision was left half done', async () => {
      const w = world(mode);
      w.desk.insert('1', { owner: boss, raised_by: boss, ...claimed });
      w.desk.failNext('tickets.write');
      await w.run('1').catch(() => {});
      expect((await decisions.latest(w.db, w.desk.keyOf('1')))?.state).toBe('planned');
      w.fillsContact();
      await w.settle();
      expect(w.desk.routingOf('1')).toMatchObject(nothing);
      expect(w.desk.customerOf('1')).toBeNull();
    });

    test('is nothing, where an agent saved it while the CRM was asked and there was nothing to link', async () => {
      const w = world(mode);
      w.desk.insert('0', { owner: boss, raised_by: boss, ...claimed });
      await w.run('0');
      w.clock.advance(1000);
      w.desk.insert('1', { owner: boss, raised_by: boss, ...claimed });
      w.desk.put('HD Ticket', '1', { customer: w.desk.customerOf('0') });
      const { read: readPipelineTicket } = w.desk.helpdesk.tickets;
      w.desk.helpdesk.tickets.read = async (...asked) => {
        const read = await readPipelineTicket(...asked);
        w.desk.helpdesk.tickets.read = readPipelineTicket;
        w.fillsContact();
        return read;
      };
      await w.settle();
      expect(w.desk.routingOf('1')).toMatchObject(nothing);
    });
  },
);

test('what a Sync confirmed is taken back, where our own write fills in the contact', async () => {
  const w = world('hold');
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: medium });
  await w.run('1');
  await w.sync('1', medium);
  w.desk.before('route', () => w.fillsContact(null));
  await w.settle();
  expect(w.desk.routingOf('1')).toMatchObject(nothing);
});

test('an undo puts nothing of another company back on a ticket that a stranger reads since', async () => {
  const w = world('accept');
  w.desk.insert('1', { owner: boss, raised_by: boss, ...claimed });
  await w.run('1');
  w.clock.advance(1000);
  const done = await w.sync('1', medium, { reroute: true });
  expect(w.desk.routingOf('1').segment).toBe('Medium');
  w.fillsContact();
  await w.undoSync('1', done);
  await w.settle();
  expect(w.desk.routingOf('1')).toMatchObject({ ...nothing, status: 'Complete' });
  expect(w.desk.routingOf('1').reason).not.toContain('Segment=');
});

test('a Sync that is refused for who reads the ticket since makes no customer the company', async () => {
  const w = world('hold');
  const hand = 'Công ty làm tay';
  w.desk.put('HD Customer', hand, { owner: agent, customer_name: hand });
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: medium });
  await w.run('1');
  w.desk.before('link', () => w.fillsContact(null));
  await expect(w.sync('1', medium, { adopt: hand })).rejects.toMatchObject({ code: 'ticket_read_by_other' });
  expect(w.desk.customerOf('1')).toBeNull();
  expect(w.desk.document('HD Customer', hand)?.custom_platform_orgid ?? null).toBeNull();
});

test('a rejection taken back puts nothing back on a ticket that a stranger reads since', async () => {
  const w = world('hold');
  w.desk.insert('1', { owner: boss, raised_by: boss, ...claimed });
  await w.run('1');
  const call = callBy(w.ctx, 'an');
  const reason = { code: 'wrong_id', note: '' } as const;
  const about = { ticket: '1', orgId: growing, bitrixId: null, reason, expectedCustomer: null };
  const { rejection_id: rejectionId } = await rejectCompany(call, about);
  w.fillsContact();
  expect(await undoRejection(call, { ticket: '1', rejectionId })).toMatchObject({ kept: 'read_by_other' });
  expect(w.desk.customerOf('1')).toBeNull();
  expect(w.desk.routingOf('1')).toMatchObject(nothing);
});

test('an account owner is not told on a ticket whose contact is replaced at the very moment', async () => {
  const w = world('accept');
  w.desk.put('Contact', 'Boss', { owner: agent, email_id: boss });
  w.desk.insert('1', { owner: boss, raised_by: boss, custom_orgid: medium, contact: 'Boss' });
  const { ticket } = await w.desk.fileOf('1');
  w.fillsContact();
  const owner = { id: '9', active: true, email: 'am@crm.example', name: 'AM', user_type: 'employee' } as const;
  recordResponsible(w.ctx, ticket, { orgId: medium, owner: { ...owner, status: 'active' } });
  await w.ctx.background.idle();
  expect(w.desk.ticket('1').custom_responsible ?? null).toBeNull();
});

test('an undo gives a ticket that a stranger reads since no customer back', async () => {
  const w = world('accept');
  w.desk.insert('1', { owner: boss, raised_by: boss, ...claimed });
  await w.run('1');
  expect(w.desk.customerOf('1')).not.toBeNull();
  const done = await w.sync('1', medium);
  w.fillsContact();
  expect(await w.undoSync('1', done)).toMatchObject({ ticket: { customer: null } });
  expect(w.desk.customerOf('1')).toBeNull();
});
