import { expect, test } from 'vitest';
import { newDesk } from '#testing/desk.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { silent } from '#testing/quiet.ts';
import { cleanUp } from './clean-up.ts';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import { insertedTicket } from './testing/inserted.ts';
import { memoryStore } from './testing/memory-store.ts';
import * as tickets from './tickets.ts';

const day = 24 * 3_600_000;
const never = new AbortController().signal;

/** A store in which so many decisions were made before their tickets had names, and each other table has a row. */
async function setUp(unnamed = 1) {
  const desk = newDesk();
  const { clock } = desk;
  const store = memoryStore(clock);
  const { db } = store;
  const lines: object[] = [];
  await tickets.keepInsert(db, 'T1', insertedTicket(), clock());
  for (let n = 0; n < unnamed; n += 1)
    await decisions.keepPreliminary(db, { key: `k${n}`, team: 'CS', reason: '', at: clock() });
  await store.profileCache.putCompanies(
    'p',
    'company_id_then_platform_orgid',
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
