import { expect, test } from 'vitest';
import { newDesk } from '#testing/desk.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { silent } from '#testing/quiet.ts';
import { cleanUp } from './clean-up.ts';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import { memoryStore } from './testing/memory-store.ts';
import * as tickets from './tickets.ts';

const day = 24 * 3_600_000;
const never = new AbortController().signal;

/** A store in which so many events have come in, and what counts the deletes that were sent, by the turn of the event loop. */
async function setUp(events = 1) {
  const desk = newDesk();
  const { clock } = desk;
  const store = memoryStore(clock);
  const { db } = store;
  const lines: object[] = [];
  for (let n = 0; n < events; n += 1) await tickets.accept(db, { digest: `${n}`, ticket: 'T1', at: clock() });
  const claimed = await tickets.claim(db, 'me', { limit: 9, now: clock(), leaseMs: 1_000 });
  await tickets.finish(db, claimed, 'me');
  await decisions.keepPreliminary(db, { key: 'k', team: 'CS', reason: '', at: clock() });
  await store.profileCache.putCompanies(
    'p',
    'company_id',
    new Map([['1' as never, { companies: [], checkedAt: clock() }]]),
    clock(),
  );
  await leases.take(store, ['left'], 'me', 1_000);
  const ctx = partOfContext({
    ...store,
    helpdesk: desk.helpdesk,
    retentionMs: 400 * day,
    logger: {
      ...silent,
      info: (fields: object) => void lines.push(fields),
      warn: (fields: object) => void lines.push(fields),
    },
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
  expect([count('ticket_event'), count('preliminary_decision'), count('lease')]).toEqual([3, 1, 0]);
  clock.advance(2 * day);
  await cleanUp(ctx, never);
  expect([count('ticket_event'), count('preliminary_decision'), count('crm_company_cache')]).toEqual([0, 0, 1]);
  clock.advance(60 * day);
  await cleanUp(ctx, never);
  expect([count('crm_company_cache'), count('ticket_work')]).toEqual([0, 1]);
  clock.advance(310 * day);
  await cleanUp(ctx, never);
  expect(count('ticket_work')).toBe(0);
  expect(lines).toEqual([
    { removed: { leases: 1 } },
    { removed: { events: 3, preliminary: 1 } },
    { removed: { answers: 1 } },
    { removed: { finished: 1 } },
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
  expect(lines).toEqual([{ removed: { events: 200, preliminary: 1, leases: 1 } }]);
  expect(turns.count).toBeGreaterThanOrEqual(10);
});

test('a table that fails keeps no other from being cleaned', async () => {
  const { clock, ctx, lines, store } = await setUp();
  clock.advance(401 * day);
  store.database.exec('drop table ticket_event; drop table preliminary_decision');
  await cleanUp(ctx, never);
  expect(lines).toEqual([
    { what: 'events', error: 'SqliteError' },
    { what: 'preliminary', error: 'SqliteError' },
    { removed: { answers: 1, finished: 1, leases: 1 } },
  ]);
});

test('a service that stops begins no further portion', async () => {
  const { clock, ctx, count } = await setUp(3);
  clock.advance(401 * day);
  await cleanUp(ctx, AbortSignal.abort());
  expect(count('ticket_event')).toBe(3);
});
