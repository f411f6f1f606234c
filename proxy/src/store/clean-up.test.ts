import { expect, test } from 'vitest';
import { newDesk } from '#testing/desk.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { silent } from '#testing/quiet.ts';
import { cleanUp, forgetClosedTickets } from './clean-up.ts';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import * as profileCache from './profile-cache.ts';
import { insertedTicket, keepInsert } from './testing/inserted.ts';
import { memoryStore } from './testing/memory-store.ts';
import { noteActive } from './tickets.ts';

const day = 24 * 3_600_000;
const never = new AbortController().signal;

/** A store in which so many decisions were made before their tickets had names, and each other table has a row. */
async function setUp(unnamed = 1) {
  const desk = newDesk();
  const { clock } = desk;
  const store = memoryStore(clock);
  const { db } = store;
  const lines: object[] = [];
  const note = (fields: object) => void lines.push(fields);
  await keepInsert(db, 'T1', insertedTicket(), clock());
  for (let n = 0; n < unnamed; n += 1)
    await decisions.keepPreliminary(db, { key: `k${n}`, team: 'CS', reason: '', at: clock() });
  const answers = new Map([['1' as never, { companies: [], checkedAt: clock() }]]);
  await profileCache.putCompanies(db, 'p', 'company_id_then_platform_orgid', answers, clock());
  await leases.take(store, ['left'], 'me', 1_000);
  const ctx = partOfContext({
    ...store,
    helpdesk: desk.helpdesk,
    retentionMs: 400 * day,
    logger: { ...silent, info: note, warn: note },
  });
  const count = (table: string) => store.database.prepare(`select count(*) from ${table}`).pluck().get();
  return { clock, store, ctx, lines, count };
}

test('everything is kept as long as it should be, and what is deleted is only counted in the log', async () => {
  const { clock, ctx, lines, count } = await setUp(3);
  await cleanUp(ctx, never);
  expect(lines).toEqual([]);
  clock.advance(29 * day);
  await cleanUp(ctx, never);
  expect([count('decisions'), count('leases')]).toEqual([3, 0]);
  clock.advance(2 * day);
  await cleanUp(ctx, never);
  expect([count('decisions'), count('crm_cache')]).toEqual([0, 1]);
  clock.advance(60 * day);
  await cleanUp(ctx, never);
  expect([count('crm_cache'), count('tickets')]).toEqual([0, 1]);
  // The helpdesk does not have the ticket any more: it counts as closed since that was noticed.
  clock.advance(310 * day);
  await cleanUp(ctx, never);
  clock.advance(401 * day);
  await cleanUp(ctx, never);
  expect(count('tickets')).toBe(0);
  expect(lines).toEqual([
    { removed: { leases: 1 } },
    { removed: { preliminary: 3 } },
    { removed: { answers: 1 } },
    { removed: { tickets: 1 } },
  ]);
});

test('a large table is cleaned in portions, with a turn for everything else behind each', async () => {
  const { clock, ctx, lines } = await setUp(200);
  clock.advance(31 * day);
  const turns = { count: 0, counting: true };
  const count = () => {
    turns.count += 1;
    if (turns.counting) setImmediate(count);
  };
  setImmediate(count);
  await cleanUp(ctx, never);
  turns.counting = false;
  expect(lines).toEqual([{ removed: { preliminary: 200, leases: 1 } }]);
  expect(turns.count).toBeGreaterThanOrEqual(10);
});

test('a table that fails keeps no other from being cleaned', async () => {
  const { clock, ctx, lines, store } = await setUp();
  clock.advance(91 * day);
  store.database.exec('drop table decisions');
  await cleanUp(ctx, never);
  expect(lines).toEqual([{ what: 'preliminary', error: 'SqliteError' }, { removed: { answers: 1, leases: 1 } }]);
});

test('a service that stops begins no further portion', async () => {
  const { clock, ctx, count } = await setUp(3);
  clock.advance(401 * day);
  await cleanUp(ctx, AbortSignal.abort());
  expect(count('decisions')).toBe(3);
});

const retentionMs = 400 * day;

function setUpTickets() {
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
  return { clock, desk, db, kept, insert, forget: () => forgetClosedTickets(ctx, never) };
}

test('a ticket is forgotten once it has been closed for the whole period, since it was closed last', async () => {
  const { clock, kept, insert, forget, desk } = setUpTickets();
  await insert('closed', 'Closed');
  await insert('open');
  await insert('opened again', 'Closed');
  clock.advance(399 * day);
  expect(await forget()).toBe(0);
  desk.personSetsStatus('opened again', 'Open');
  clock.advance(2 * day);
  expect([await forget(), kept()]).toEqual([1, ['open', 'opened again']]);
  for (const name of ['open', 'opened again']) desk.personSetsStatus(name, 'Resolved');
  clock.advance(399 * day);
  expect(await forget()).toBe(0);
  clock.advance(2 * day);
  expect([await forget(), kept()]).toEqual([2, []]);
});

test('a ticket that is gone counts as closed since we noticed, unless it comes back', async () => {
  const { clock, kept, insert, forget, desk } = setUpTickets();
  for (const name of ['1', '2']) await insert(name, 'Closed');
  const back = desk.ticket('2');
  for (const name of ['1', '2']) desk.remove('HD Ticket', name);
  for (const days of [401, 399]) {
    clock.advance(days * day);
    expect(await forget()).toBe(0);
  }
  desk.put('HD Ticket', '2', { ...back, status: 'Open' });
  clock.advance(2 * day);
  expect([await forget(), kept()]).toEqual([1, ['2']]);
});

test('a time of change from the future keeps nothing longer than the period', async () => {
  const { clock, insert, forget, desk } = setUpTickets();
  await insert('1', 'Closed');
  desk.put('HD Ticket', '1', { modified: '2099-01-01 00:00:00.000000' });
  clock.advance(401 * day);
  expect(await forget()).toBe(0);
  clock.advance(401 * day);
  desk.put('HD Ticket', '1', { modified: '2026-05-08 00:00:00.000000' });
  expect(await forget()).toBe(1);
});

test('a helpdesk that fails deletes nothing', async () => {
  const { clock, kept, insert, forget, desk } = setUpTickets();
  await insert('1', 'Closed');
  clock.advance(401 * day);
  desk.simulator.fault = () => 503;
  await expect(forget()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(kept()).toHaveLength(1);
});

test('a run asks the helpdesk at most a hundred times, for a hundred tickets each, and leaves the rest', async () => {
  const { clock, db, forget, desk } = setUpTickets();
  const all = Array.from({ length: 10_001 }, (_, n) => ({
    name: `${n}`,
    creation: '',
    activeAt: clock(),
    gone: false,
  }));
  for (let from = 0; from < all.length; from += 5_000) await noteActive(db, all.slice(from, from + 5_000));
  clock.advance(401 * day);
  for (const asked of [100, 101]) {
    await forget();
    expect(desk.calls).toHaveLength(asked);
  }
});
