import { sized } from '@deskside/testing/size';
import { expect, test } from 'vitest';
import { silent } from '#runtime/testing/quiet.ts';
import { newDesk } from '#testing/desk.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { cleanUp, forgetClosedTickets } from './clean-up.ts';
import { openStore, stateFile } from './database.ts';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import * as profileCache from './profile-cache.ts';
import { noteActive } from './retention.ts';
import { cachedCompany } from './testing/cached-company.ts';
import { draftOf } from './testing/decision-draft.ts';
import { insertedTicket, keepInsert } from './testing/inserted.ts';
import { memoryStore } from './testing/memory-store.ts';
import { inFile, rowsIn, temporaryFolder, writtenUntilKilled } from './testing/state-file.ts';

const day = 24 * 3_600_000;
const never = new AbortController().signal;
const retentionMs = 400 * day;

/** A desk, and a store that keeps something of its tickets. */
function setUp() {
  const desk = newDesk();
  const { clock, helpdesk } = desk;
  const store = memoryStore(clock);
  const { db, database } = store;
  const lines: object[] = [];
  const note = (fields: object) => void lines.push(fields);
  const ctx = partOfContext({ ...store, helpdesk, retentionMs, logger: { ...silent, info: note, warn: note } });
  return {
    ...{ clock, desk, db, database, ctx, lines },
    count: (table: string) => database.prepare(`select count(*) from ${table}`).pluck().get(),
    /** The tickets of which something is kept. */
    kept: () => database.prepare('select ticket from tickets where active_at is not null order by 1').pluck().all(),
    forget: () => forgetClosedTickets(ctx, never),
    /** A ticket that the desk has and of which we keep something. */
    async insert(name: string, status = 'Open') {
      desk.put('HD Ticket', name, { subject: name, status });
      await noteActive(db, [{ name, creation: '', activeAt: clock(), gone: false }]);
    },
  };
}

/** So many decisions were made before their tickets had names, and each other table has a row. */
async function setUpTables(unnamed = 1) {
  const world = setUp();
  const { clock, db } = world;
  await keepInsert(db, 'T1', insertedTicket(), clock());
  for (let n = 0; n < unnamed; n += 1)
    await decisions.keepPreliminary(db, { key: `k${n}`, team: 'CS', reason: '', at: clock() });
  const answers = new Map([['1' as never, { companies: [], answeredAt: {}, checkedAt: clock(), payloads: {} }]]);
  await profileCache.putCompanies(db, 'p', answers, clock());
  await leases.take({ db, clock }, ['left'], 'me', 1_000);
  return world;
}

test('everything is kept as long as it should be, and what is deleted is only counted in the log', async () => {
  const { clock, ctx, lines, count } = await setUpTables(3);
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
  const { clock, ctx, lines } = await setUpTables(200);
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
  const { clock, ctx, lines, database } = await setUpTables();
  clock.advance(91 * day);
  database.exec('drop table decisions');
  await expect(cleanUp(ctx, never)).rejects.toThrow('no such table');
  expect(lines).toEqual([{ what: 'preliminary', error: 'SqliteError' }, { removed: { answers: 1, leases: 1 } }]);
});

test('a service that stops begins no further portion', async () => {
  const { clock, ctx, count } = await setUpTables(3);
  clock.advance(401 * day);
  await cleanUp(ctx, AbortSignal.abort());
  expect(count('decisions')).toBe(3);
});

test('a ticket is forgotten once it has been closed for the whole period, since it was closed last', async () => {
  const { clock, kept, insert, forget, desk } = setUp();
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
  const { clock, kept, insert, forget, desk } = setUp();
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

test('a run asks the helpdesk at most a hundred times, for a hundred tickets each, and leaves the rest', async () => {
  const { clock, db, forget, desk } = setUp();
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

const old = sized({ small: 200, full: 100_000 });

/** Fills an empty store with tickets of long ago that the helpdesk has no more, each with its claim, its decision and a company. */
async function fillWithOld(url: string): Promise<void> {
  await (await openStore(url)).close();
  const at = Date.now() - 900 * day;
  const creation = '2024-01-01 00:00:00.000000';
  const decision = { ...draftOf('1'), number: 1, decided_at: new Date(at).toISOString(), state: 'applied' };
  const [decided, companies] = [
    decision,
    { companies: [cachedCompany('1')], answeredAt: { UF_CRM_COMPANY_ID: 1 } },
  ].map((value) => JSON.stringify(value).replaceAll("'", "''"));
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${old})`;
  const rows = [
    `insert into tickets (ticket, creation, told_at, found_by, since, revision, active_at, gone)
      select cast(i as text), '${creation}', ${at}, 'webhook', ${at}, 1, ${at}, 1 from n`,
    `insert into claims (sender, org_id, ticket, creation)
      select 'sender.' || i || '@shop.example', cast(200000000 + i as text), cast(i as text), '${creation}' from n`,
    `insert into decisions (ticket, creation, number, latest, decided_at, decision)
      select cast(i as text), '${creation}', 1, 1, ${at}, '${decided}' from n`,
    `insert into crm_cache (portal, kind, key, company_id, answer, found, checked_at)
      select 'p', 'company', cast(200000000 + i as text), '1', '${companies}', 1, ${at} from n`,
  ];
  inFile(stateFile(url), (database) => rows.map((insert) => database.exec(`${numbers} ${insert}`)));
}

test('a ticket that the account may not see does not count as deleted', async () => {
  const { clock, kept, insert, forget, desk } = setUp();
  await insert('hidden', 'Open');
  await insert('closed', 'Closed');
  desk.simulator.settings.restrictTicketsByAgentGroup = true;
  clock.advance(401 * day);
  await expect(forget()).rejects.toThrow('Tickets are restricted to their teams');
  clock.advance(401 * day);
  await expect(forget()).rejects.toThrow('is in no team that is exempt');
  expect(kept()).toEqual(['closed', 'hidden']);
});

test('another process on the same file writes all the while old data is deleted, and is never refused', async () => {
  const url = `file:${temporaryFolder()}`;
  await fillWithOld(url);
  const store = await openStore(url);
  const helpdesk = { ticketLists: { lookAt: async () => new Map() } };
  const ctx = partOfContext({ ...store, helpdesk, retentionMs, logger: silent });
  let cleaning: Promise<void> | undefined;
  let isClean = false;
  await writtenUntilKilled(url, 'beside', ['an'], () => {
    // On a machine with more to do than it can, it may itself be the one who gives way; its loop runs it again.
    const untilDone = async () => {
      for (let tries = 1; tries <= 50; tries += 1)
        if (
          await cleanUp(ctx, never).then(
            () => true,
            () => false,
          )
        )
          return;
    };
    cleaning ??= untilDone().finally(() => (isClean = true));
    return isClean;
  });
  await cleaning;
  await store.close();
  const left = rowsIn(stateFile(url)).decisions as { ticket: string }[];
  expect(left.filter(({ ticket }) => !ticket.startsWith('beside'))).toEqual([]);
});
