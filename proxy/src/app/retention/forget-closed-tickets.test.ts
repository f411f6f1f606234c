import { expect, test } from 'vitest';
import { fakeTickets } from '#app/testing/fake-tickets.ts';
import { fakeClock } from '#app/testing/fakes.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { Store } from '#store/store.ts';
import type { RememberedTicket } from '#store/tickets/ticket-memory.ts';
import { forgetClosedTickets } from './forget-closed-tickets.ts';

const day = 24 * 3_600_000;
const retentionMs = 400 * day;
const never = new AbortController().signal;

function setUp() {
  const clock = fakeClock();
  const tickets = fakeTickets(clock);
  const kept = new Map<string, RememberedTicket>();
  const ticketMemory: Store['ticketMemory'] = {
    lastActiveBefore: async (moment, limit) =>
      [...kept.values()]
        .filter(({ activeAt }) => activeAt < moment)
        .toSorted((a, b) => a.activeAt - b.activeAt)
        .slice(0, limit),
    note: async (seen) => {
      for (const one of seen) kept.set(one.ticket, one);
    },
    forget: async (ticket, moment) => (kept.get(ticket)?.activeAt ?? moment) < moment && kept.delete(ticket),
  };
  /** A ticket that the desk has and of which we keep something. */
  const insert = (name: string, status = 'Open') => {
    tickets.insert(name);
    if (status !== 'Open') tickets.personSetsStatus(name, status);
    kept.set(name, { ticket: name, activeAt: clock(), gone: false });
  };
  const ctx = { ticketMemory, helpdesk: tickets, retentionMs, clock };
  return { clock, tickets, kept, insert, forget: () => forgetClosedTickets(ctx, never) };
}

test('a ticket is forgotten once it has been closed for the whole period', async () => {
  const { clock, kept, insert, forget, tickets } = setUp();
  insert('1');
  clock.advance(300 * day);
  tickets.personSetsStatus('1', 'Closed');
  clock.advance(101 * day);
  expect(await forget()).toBe(0);
  clock.advance(298 * day);
  expect(await forget()).toBe(0);
  clock.advance(2 * day);
  expect(await forget()).toBe(1);
  expect(kept.size).toBe(0);
});

test('a ticket that is open, or was opened again, is kept for the whole period from then on', async () => {
  const { clock, kept, insert, forget, tickets } = setUp();
  insert('1', 'Closed');
  insert('2');
  clock.advance(399 * day);
  tickets.personSetsStatus('1', 'Open');
  clock.advance(2 * day);
  expect(await forget()).toBe(0);
  for (const name of ['1', '2']) tickets.personSetsStatus(name, 'Resolved');
  clock.advance(399 * day);
  expect(await forget()).toBe(0);
  expect(kept.size).toBe(2);
  clock.advance(2 * day);
  expect(await forget()).toBe(2);
});

test('a ticket that is gone counts as closed since we noticed, unless it comes back', async () => {
  const { clock, kept, insert, forget, tickets } = setUp();
  insert('1', 'Closed');
  insert('2', 'Closed');
  const back = tickets.tickets.get('2');
  tickets.tickets.clear();
  clock.advance(401 * day);
  expect(await forget()).toBe(0);
  clock.advance(399 * day);
  expect(await forget()).toBe(0);
  if (back) tickets.tickets.set('2', { ...back, status: 'Open', closed: false });
  clock.advance(2 * day);
  expect(await forget()).toBe(1);
  expect([...kept.keys()]).toEqual(['2']);
});

test('a time of change from the future keeps nothing longer than the period', async () => {
  const { clock, insert, forget, tickets } = setUp();
  insert('1', 'Closed');
  Object.assign(tickets.tickets.get('1') ?? {}, { modified: '2099-01-01 00:00:00.000000' });
  clock.advance(401 * day);
  expect(await forget()).toBe(0);
  clock.advance(401 * day);
  Object.assign(tickets.tickets.get('1') ?? {}, { modified: '2026-05-08 00:00:00.000000' });
  expect(await forget()).toBe(1);
});

test('a helpdesk that fails deletes nothing', async () => {
  const { clock, kept, insert, forget, tickets } = setUp();
  insert('1', 'Closed');
  clock.advance(401 * day);
  tickets.failure = new HelpdeskError('unavailable', 'down');
  await expect(forget()).rejects.toThrow('down');
  expect(kept.size).toBe(1);
});

test('many tickets are read a hundred at a time, at most ten thousand in one run, and deleted one per turn', async () => {
  const { clock, kept, insert, forget, tickets } = setUp();
  for (let i = 0; i < 10_150; i += 1) insert(`${i}`, 'Closed');
  clock.advance(401 * day);
  tickets.reads = 0;
  const turns = { count: 0, counting: true };
  const count = () => {
    turns.count += 1;
    if (turns.counting) setImmediate(count);
  };
  setImmediate(count);
  expect(await forget()).toBe(10_000);
  turns.counting = false;
  expect(tickets.reads).toBe(100);
  expect(turns.count).toBeGreaterThanOrEqual(10_000);
  expect(kept.size).toBe(150);
  expect(await forget()).toBe(150);
  expect(await forget()).toBe(0);
});
