import { randomUUID } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { OrgId } from '@deskside/shared/orgid';
import { latestTurns } from '#app/operator/newest-decided.ts';
import { cleanUp } from '#app/retention/clean-up.ts';
import { assignWaiting } from '#app/routing/assign-waiting.ts';
import { sweepTickets } from '#app/routing/inbox/sweep-tickets.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import { openStore, type Store } from '#store/store.ts';
import { draftOf, firstStateOf } from '#store/testing/decision-draft.ts';
import type { LargeStore } from './fill.ts';

const retentionMs = 400 * 24 * 3_600_000;
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const never = new AbortController().signal;

/** Milliseconds of each, over many. */
export interface PerRequest {
  opening: number;
  /** What a profile reads: of a ticket of which nothing has been read before, and of one that somebody works with. */
  firstProfile: number;
  profile: number;
  /** What a webhook and the pipeline read and write for its ticket, up to the decision that has been carried out. */
  ticket: number;
  /** What a sweep asks about a page of tickets. */
  sweep: number;
  /** Of regular work: what is asked every 15 s while nobody is available, and at each scrape. */
  waiting: number;
  backlog: number;
}

const asks = 200;

/** Measures what is done again and again, and adds a few tickets. */
export async function measureRequests(databaseUrl: string, { tickets }: LargeStore): Promise<PerRequest> {
  const from = performance.now();
  const store = await openStore(databaseUrl);
  const opening = performance.now() - from;
  try {
    const some = Array.from({ length: asks }, (_, i) => 1 + ((i * 7_919) % tickets));
    /** The first time and again: what is read for the first time may have to come from the disk. */
    const twice = async (work: (n: number) => Promise<unknown>) => {
      for (const n of some.slice(0, 20)) await work(n);
      const rest = some.slice(20);
      return [await each(rest, work), await each(rest, work)] as const;
    };
    const [firstProfile, profile] = await twice((n) => readProfile(store, n));
    const [, ticket] = await twice(() => takeTicket(store));
    const [, sweep] = await twice(async (n) => {
      const names = Array.from({ length: 100 }, (_, i) => String(n + i));
      await store.decisions.decided(names);
      await store.inbox.waitingAmong(names);
    });
    await assignNobody(store);
    return {
      opening,
      firstProfile,
      profile,
      ticket,
      sweep,
      waiting: await each(some.slice(0, 20), () => assignNobody(store)),
      backlog: await each(some.slice(0, 20), () => store.pipelineWatch.backlog(Date.now())),
    };
  } finally {
    await store.close();
  }
}

async function readProfile(store: Store, n: number): Promise<void> {
  const [ticket, shop] = [String(n), Math.ceil(n / 10)];
  const sender = {
    address: `sender.${shop}@shop-${Math.floor(shop / 100)}.example`,
    domain: `shop-${Math.floor(shop / 100)}.example`,
  };
  await store.syncLog.latest(ticket);
  await store.syncLog.choicesOf(sender);
  await store.decisions.list(ticket);
  await store.rejections.standing({ ticket, sender: sender.address });
  await store.profileCache.getCompanies('p', 'company_id', [OrgId.parse(String(200_000_000 + shop))]);
}

async function takeTicket(store: Store): Promise<void> {
  const [ticket, creation, now] = [randomUUID(), '2026-11-01 12:00:00.000000', Date.now()];
  await store.inbox.accept({ digest: ticket, ticket, at: now });
  const [work] = await store.inbox.claim('measure', { limit: 1, now, leaseMs: 1_000 });
  await store.leases.take([ticket], 'measure', 1_000);
  await store.decisions.isForgotten(ticket, creation);
  await store.decisions.keepFirstState(firstStateOf(ticket, creation), now);
  await store.decisions.firstState(ticket, creation);
  await store.decisions.openClaimsOf([OrgId.parse('200000001')]);
  const turn = { team: 'Team 1', members: ['an', 'binh'], eligible: ['an', 'binh'] };
  const decision = await store.decisions.add(draftOf(ticket), 0, turn);
  if (decision) await store.decisions.update(decision.id, { state: 'applied' });
  await store.leases.release([ticket], 'measure');
  if (work) await store.inbox.finish([work], 'measure');
}

const lookEveryMs = 1;

interface Turns {
  /** The longest turn of the event loop, in milliseconds. */
  longestTurn: number;
  /** What of a turn was computed, at most: the rest are other processes and the disk. */
  longestComputed: number;
}

export interface RegularWork extends Turns {
  /** How long cleaning took. */
  seconds: number;
}

/** All regular work on a store in which much is old: cleaning, waiting tickets, negative answers, a scrape, a sweep. */
export async function measureRegularWork(databaseUrl: string, { now }: LargeStore): Promise<RegularWork> {
  const store = await openStore(databaseUrl);
  const clock = () => now;
  const helpdesk = { lookAtTickets: async () => new Map() };
  try {
    // The first run notes how far earlier decisions are known; it is measured as well.
    const turns = watchTurns();
    const from = performance.now();
    await cleanUp({ ...store, helpdesk, retentionMs, clock, logger }, never);
    const seconds = (performance.now() - from) / 1_000;
    const others: (() => Promise<unknown>)[] = [
      () => assignNobody(store),
      () => store.profileCache.deleteNegative('p'),
      () => store.pipelineWatch.backlog(now),
      () => latestTurns(store.pipelineWatch),
      () => sweep(store),
    ];
    for (const work of others) {
      await work();
      // None follows at once upon another.
      await nextTurn();
    }
    return { seconds, ...(await turns.end()) };
  } finally {
    await store.close();
  }
}

/** A run in which nobody of any team is available. */
function assignNobody(store: Store): Promise<number> {
  const helpdesk = { readTeam: async () => ({ members: [] }) } as unknown as HelpdeskTickets;
  const withLock = createWithLock(store.leases);
  const turns = { areKnown: true };
  return assignWaiting({ ...store, helpdesk, withLock, turns, clock: Date.now, logger }, never);
}

/** A sweep that meets a page of tickets, half of which are new. */
async function sweep(store: Store): Promise<number> {
  const [from, until] = ['2026-11-01 00:00:00.000000', '2026-11-02 00:00:00.000000'];
  await store.sweepMark.write({ from, until });
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
    listModifiedSince: async () => ({ tickets: pages.shift() ?? [], unreadable: [] }),
  };
  const how = { isWide: false, reported: new Set<string>() };
  return sweepTickets({ ...store, helpdesk, clock: Date.now, logger }, how, never);
}

/** Milliseconds of each, on average. */
async function each(tickets: readonly number[], work: (n: number) => Promise<unknown>): Promise<number> {
  const from = performance.now();
  for (const n of tickets) await work(n);
  return (performance.now() - from) / tickets.length;
}

/**
 * The longest turn of a process that does nothing for so many seconds but to write a page to a plain file now and then, durably:
 * what the machine and its disk add to any other.
 */
export async function measureDisk(folder: string, seconds: number): Promise<RegularWork> {
  const file = openSync(join(folder, 'plain'), 'w');
  const page = Buffer.alloc(8_192, 1);
  const turns = watchTurns();
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    writeSync(file, page);
    fdatasyncSync(file);
    await wait(10);
  }
  closeSync(file);
  return { seconds, ...(await turns.end()) };
}

/**
 * Looks at the event loop every millisecond until it is ended. Looking at each turn would keep the processor busy, and whatever
 * a virtual machine takes from it would be found in turns in which nothing is done.
 */
function watchTurns(): { end(): Promise<Turns> } {
  const longest = { longestTurn: 0, longestComputed: 0 };
  let isOver = false;
  const computed = () => {
    // Brings the kernel's figure of this thread up to date, which it is otherwise only every 4 ms.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const watch = async () => {
    let before = { at: performance.now(), computed: computed() };
    while (!isOver) {
      await wait(lookEveryMs);
      const now = { at: performance.now(), computed: computed() };
      longest.longestTurn = Math.max(longest.longestTurn, now.at - before.at - lookEveryMs);
      longest.longestComputed = Math.max(longest.longestComputed, now.computed - before.computed);
      before = now;
    }
  };
  const watched = watch();
  return {
    async end() {
      isOver = true;
      await watched;
      return longest;
    },
  };
}
