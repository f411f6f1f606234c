import { expect, test } from 'vitest';
import { partOfContext } from '#testing/part-of-context.ts';
import { silent } from '#testing/quiet.ts';
import { cleanUp } from './clean-up.ts';
import type { Store } from './store.ts';

const now = Date.UTC(2027, 4, 31);
const day = 24 * 3_600_000;
const never = new AbortController().signal;

/** Tables with so many old rows each; `calls` says which was asked to delete, before when, in which turn of the event loop. */
function setUp(rows: Record<string, number> = {}) {
  const left = new Map(Object.entries(rows));
  const calls: { what: string; daysOld: number; turn: number }[] = [];
  const lines: object[] = [];
  const turns = { count: 0, counting: true };
  const count = () => {
    turns.count += 1;
    if (turns.counting) setImmediate(count);
  };
  setImmediate(count);
  const remove = (what: string) => async (moment: number, limit: number) => {
    calls.push({ what, daysOld: (now - moment) / day, turn: turns.count });
    const deleted = Math.min(limit, left.get(what) ?? 0);
    left.set(what, (left.get(what) ?? 0) - deleted);
    return deleted;
  };
  const ctx = {
    inbox: { deleteEventsBefore: remove('events'), deleteFinishedBefore: remove('finished') },
    decisions: { deletePreliminaryBefore: remove('preliminary') },
    leases: { deleteExpired: (limit: number) => remove('leases')(now, limit) },
    profileCache: { deleteCheckedBefore: remove('answers') },
    ...closedTickets(rows.tickets ?? 0),
    retentionMs: 400 * day,
    clock: () => now,
    logger: {
      ...silent,
      info: (fields: object) => void lines.push(fields),
      warn: (fields: object) => void lines.push(fields),
    },
  };
  return {
    cleanUp: (signal: AbortSignal) => cleanUp(partOfContext(ctx), signal),
    ctx,
    calls,
    left,
    lines,
    stopCounting: () => (turns.counting = false),
  };
}

/** So many tickets that have been gone for long, each forgotten once. */
function closedTickets(count: number) {
  const kept = new Set(Array.from({ length: count }, (_, n) => `${n}`));
  const ticketMemory: Store['ticketMemory'] = {
    lastActiveBefore: async () => [...kept].map((ticket) => ({ ticket, activeAt: 0, gone: true })),
    note: async () => {},
    forget: async (ticket) => kept.delete(ticket),
  };
  return { ticketMemory, helpdesk: { lookAtTickets: async () => new Map() } };
}

test('everything is kept as long as it should be, and what is deleted is only counted in the log', async () => {
  const { cleanUp, calls, lines, stopCounting } = setUp({ events: 3, tickets: 2 });
  await cleanUp(never);
  stopCounting();
  expect(Object.fromEntries(calls.map(({ what, daysOld }) => [what, daysOld]))).toEqual({
    events: 30,
    preliminary: 30,
    answers: 90,
    finished: 400,
    leases: 0,
  });
  expect(lines).toEqual([{ removed: { events: 3, tickets: 2 } }]);
});

test('many rows go in portions, and everything else in the process gets its turn between two of them', async () => {
  const { cleanUp, calls, left, stopCounting } = setUp({ answers: 1_000, events: 250 });
  await cleanUp(never);
  stopCounting();
  expect([left.get('answers'), left.get('events')]).toEqual([0, 0]);
  for (const what of ['answers', 'events'])
    expect(calls.filter((call) => call.what === what).length).toBeGreaterThan(1);
  // The last of one table and the first of the next as well.
  expect(new Set(calls.map(({ turn }) => turn)).size).toBe(calls.length);
});

test('a table that fails keeps no other from being cleaned', async () => {
  const { ctx, calls, lines, stopCounting } = setUp();
  stopCounting();
  const fails = async () => Promise.reject(new TypeError('secret'));
  const removed: string[] = [];
  const failing = {
    ...ctx,
    inbox: { deleteEventsBefore: fails, deleteFinishedBefore: async () => Number(removed.push('finished')) * 0 },
    decisions: { deletePreliminaryBefore: fails },
    leases: { deleteExpired: fails },
    profileCache: { deleteCheckedBefore: fails },
    ticketMemory: { ...ctx.ticketMemory, lastActiveBefore: fails },
  };
  await cleanUp(partOfContext(failing), never);
  expect(removed).toEqual(['finished']);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toEqual({ what: 'events', error: 'TypeError' });
  expect(calls).toEqual([]);
});

test('a service that stops begins no further portion', async () => {
  const { cleanUp, calls, stopCounting } = setUp({ events: 1_000 });
  await cleanUp(AbortSignal.abort());
  stopCounting();
  expect(calls).toEqual([]);
});
