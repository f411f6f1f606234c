import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '#context.ts';
import { sweepTickets } from '#routing/sweep.ts';
import { assignWaiting } from '#routing/waiting.ts';
import { createWithLock } from '#runtime/jobs.ts';
import { cleanUp } from '#store/clean-up.ts';
import { openStore, type Store } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import * as notes from '#store/notes.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import type { LargeStore } from './fill.ts';

const retentionMs = 400 * 24 * 3_600_000;
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const never = new AbortController().signal;

/** All regular work on a store in which much is old: cleaning, waiting tickets, negative answers, a scrape, a sweep. */
export async function doRegularWork(databaseUrl: string, { now }: LargeStore): Promise<void> {
  const store = await openStore(databaseUrl);
  const clock = () => now;
  const helpdesk = { ticketLists: { lookAt: async () => new Map() } };
  try {
    await cleanUp(partOfContext({ ...store, helpdesk, retentionMs, clock, logger }), never);
    const others: (() => Promise<unknown>)[] = [
      () => assignNobody(store),
      () => store.profileCache.deleteNegative('p'),
      () => decisions.backlog(store.db, now),
      () => sweep(store),
    ];
    for (const work of others) {
      await work();
      // None follows at once upon another.
      await nextTurn();
    }
  } finally {
    await store.close();
  }
}

/** A run in which nobody of any team is available. */
function assignNobody(store: Store): Promise<number> {
  const helpdesk = { readTeam: async () => ({ members: [] }) } as unknown as Context['helpdesk'];
  const withLock = createWithLock(store);
  const ctx = { ...store, helpdesk, withLock, contactAddressesVouch: false, clock: Date.now, logger };
  return assignWaiting({ ...partOfContext(ctx), signal: never });
}

/** A sweep that meets a page of tickets, half of which are new. */
async function sweep(store: Store): Promise<number> {
  const [from, until] = ['2026-11-01 00:00:00.000000', '2026-11-02 00:00:00.000000'];
  await notes.noteInstalled(store.db, from, 0);
  await notes.noteSwept(store.db, until, 0);
  const pages = [
    Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? String(1 + i) : randomUUID())).map((name) => ({
      name,
      creation: until,
      modified: until,
    })),
  ];
  const helpdesk = {
    stampOf: async () => until,
    stampBefore: () => from,
    ticketLists: { modifiedSince: async () => ({ tickets: pages.shift() ?? [], unreadable: [] }) },
  };
  const how = { isWide: false, reported: new Set<string>() };
  return sweepTickets({ ...partOfContext({ ...store, helpdesk, clock: Date.now, logger }), signal: never }, how);
}
