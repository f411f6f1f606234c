import { expect, test } from 'vitest';
import { lookupCompany } from '#crm/lookup.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import * as leases from '#store/leases.ts';
import * as tickets from '#store/tickets.ts';
import { newDesk } from './desk.ts';
import { callerOf } from './desk-seed.ts';
import { medium } from './sample-companies.ts';
import { testContext } from './test-context.ts';

const { signal } = new AbortController();

test('a context has a desk, the sample companies, a store of its own, and a clock that is turned', async () => {
  const ctx = testContext({ retentionMs: 1 });
  expect(ctx.retentionMs).toBe(1);
  ctx.desk.insert('1', { custom_orgid: medium });
  const { ticket } = await ctx.gate.openTicket(callerOf('an'), '1', signal);
  expect(ticket.orgIdFields.map(({ value }) => value)).toContain(medium);
  const found = await lookupCompany(ctx.crm ?? expect.fail(), { orgId: medium, refresh: false, deadlineMs: 1_000 });
  expect(found).toMatchObject({ status: 'matched', checkedAt: ctx.clock() });
  expect(await leases.take(ctx, ['key'], 'a', 1_000)).toEqual(new Set(['key']));
  expect(await leases.take(ctx, ['key'], 'b', 1_000)).toEqual(new Set());
  ctx.clock.advance(1_000);
  expect(await leases.take(ctx, ['key'], 'b', 1_000)).toEqual(new Set(['key']));
  expect(await leases.take(testContext(), ['key'], 'c', 1_000)).toEqual(new Set(['key']));
});

test('contexts with one desk and one store are processes of one service', async () => {
  const first = testContext();
  const second = testContext({ desk: first.desk, store: first.store });
  await tickets.enqueue(first.db, [{ name: '1', creation: '2026-01-01 00:00:00' }], { dueAt: 0, now: 0 });
  expect(await tickets.waiting(second.db)).toBe(1);
});

test('a call fails before or after it took effect, once', async () => {
  const desk = newDesk();
  desk.insert('1');
  const assign = () => desk.helpdesk.assignments.add('1', 'an@desk.example', 'yours', signal);
  desk.failNext('assignments.add');
  await expect(assign()).rejects.toThrow('down');
  expect(desk.assigned('1')).toEqual([]);
  desk.failNext('assignments.add', new HelpdeskError('timeout', 'late'), 'after');
  await expect(assign()).rejects.toThrow('late');
  await assign();
  expect(desk.assigned('1')).toEqual(['an@desk.example']);
});

test('what the service writes is told in words, and somebody may come in between', async () => {
  const desk = newDesk();
  desk.insert('1');
  const { helpdesk } = desk;
  const ticket = await helpdesk.tickets.read('1', signal);
  desk.before('route', () => desk.personSetsStatus('1', 'Replied'));
  expect(await helpdesk.tickets.write(ticket, { reason: 'x' }, signal)).toBe('changed_meanwhile');
  const again = await helpdesk.tickets.read('1', signal);
  await helpdesk.tickets.write(again, { agentGroup: 'CS 60p', reason: 'x' }, signal);
  await helpdesk.assignments.add('1', 'an@desk.example', 'yours', signal);
  const [{ id } = { id: '' }] = await helpdesk.assignments.list('1', signal);
  await helpdesk.assignments.withdraw(id, signal);
  await helpdesk.customers.create('Shop', { platformOrgId: medium }, signal);
  await helpdesk.tickets.link(await helpdesk.tickets.readLink('1', signal), 'Shop', signal);
  expect(desk.writes).toEqual([
    'route 1 agentGroup reason',
    'assign 1 an@desk.example',
    'withdraw 1 an@desk.example',
    'create Shop',
    'link 1 Shop',
  ]);
});

test('what the service has written to a ticket is read by the next who opens it, also where the answer was lost', async () => {
  const ctx = testContext();
  ctx.desk.insert('1');
  const owner = async () => (await ctx.gate.openTicket(callerOf('an'), '1', signal)).ticket.responsible;
  expect(await owner()).toBeNull();
  const write = async (responsible: string) =>
    ctx.helpdesk.tickets.write(await ctx.helpdesk.tickets.read('1', signal), { responsible }, signal);
  await write('chi@desk.example');
  expect(await owner()).toBe('chi@desk.example');
  ctx.desk.failNext('tickets.write', undefined, 'after');
  await expect(write('dung@desk.example')).rejects.toThrow('down');
  expect(await owner()).toBe('dung@desk.example');
});
