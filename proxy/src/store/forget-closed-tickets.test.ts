import { expect, test } from 'vitest';
import { newDesk } from '#testing/desk.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { forgetClosedTickets } from './forget-closed-tickets.ts';
import { memoryStore } from './testing/memory-store.ts';
import { noteActive } from './tickets.ts';

const day = 24 * 3_600_000;
const retentionMs = 400 * day;
const never = new AbortController().signal;

function setUp() {
  const desk = newDesk();
  const { clock } = desk;
  const { db, database } = memoryStore(clock);
  /** A ticket that the desk has and of which we keep something. */
  const insert = async (name: string, status = 'Open') => {
    desk.put('HD Ticket', name, { subject: name, status });
    await noteActive(db, [{ name, creation: '', activeAt: clock(), gone: false }]);
  };
  const ctx = partOfContext({ db, helpdesk: desk.helpdesk, retentionMs, clock });
  const kept = () =>
    database.prepare('select ticket from tickets where active_at is not null order by 1').pluck().all();
  return { clock, desk, kept, insert, forget: () => forgetClosedTickets(ctx, never) };
}

test('a ticket is forgotten once it has been closed for the whole period', async () => {
  const { clock, kept, insert, forget, desk } = setUp();
  await insert('1');
  clock.advance(300 * day);
  desk.personSetsStatus('1', 'Closed');
  clock.advance(101 * day);
  expect(await forget()).toBe(0);
  clock.advance(298 * day);
  expect(await forget()).toBe(0);
  clock.advance(2 * day);
  expect(await forget()).toBe(1);
  expect(kept()).toHaveLength(0);
});

test('a ticket that is open, or was opened again, is kept for the whole period from then on', async () => {
  const { clock, kept, insert, forget, desk } = setUp();
  await insert('1', 'Closed');
  await insert('2');
  clock.advance(399 * day);
  desk.personSetsStatus('1', 'Open');
  clock.advance(2 * day);
  expect(await forget()).toBe(0);
  for (const name of ['1', '2']) desk.personSetsStatus(name, 'Resolved');
  clock.advance(399 * day);
  expect(await forget()).toBe(0);
  expect(kept()).toHaveLength(2);
  clock.advance(2 * day);
  expect(await forget()).toBe(2);
});

test('a ticket that is gone counts as closed since we noticed, unless it comes back', async () => {
  const { clock, kept, insert, forget, desk } = setUp();
  await insert('1', 'Closed');
  await insert('2', 'Closed');
  const back = desk.ticket('2');
  for (const name of ['1', '2']) desk.remove('HD Ticket', name);
  clock.advance(401 * day);
  expect(await forget()).toBe(0);
  clock.advance(399 * day);
  expect(await forget()).toBe(0);
  desk.put('HD Ticket', '2', { ...back, status: 'Open' });
  clock.advance(2 * day);
  expect(await forget()).toBe(1);
  expect(kept()).toEqual(['2']);
});

test('a time of change from the future keeps nothing longer than the period', async () => {
  const { clock, insert, forget, desk } = setUp();
  await insert('1', 'Closed');
  desk.put('HD Ticket', '1', { modified: '2099-01-01 00:00:00.000000' });
  clock.advance(401 * day);
  expect(await forget()).toBe(0);
  clock.advance(401 * day);
  desk.put('HD Ticket', '1', { modified: '2026-05-08 00:00:00.000000' });
  expect(await forget()).toBe(1);
});

test('a helpdesk that fails deletes nothing', async () => {
  const { clock, kept, insert, forget, desk } = setUp();
  await insert('1', 'Closed');
  clock.advance(401 * day);
  desk.simulator.fault = () => 503;
  await expect(forget()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(kept()).toHaveLength(1);
});

test('many tickets are read a hundred at a time, at most ten thousand in one run, and deleted one per turn', async () => {
  const { clock, kept, insert, forget, desk } = setUp();
  for (let i = 0; i < 10_150; i += 1) await insert(`${i}`, 'Closed');
  clock.advance(401 * day);
  const turns = { count: 0, counting: true };
  const count = () => {
    turns.count += 1;
    if (turns.counting) setImmediate(count);
  };
  setImmediate(count);
  expect(await forget()).toBe(10_000);
  turns.counting = false;
  expect(desk.calls).toEqual(Array.from({ length: 100 }, () => 'ticketLists.lookAt'));
  expect(turns.count).toBeGreaterThanOrEqual(10_000);
  expect(kept()).toHaveLength(150);
  expect(await forget()).toBe(150);
  expect(await forget()).toBe(0);
});
