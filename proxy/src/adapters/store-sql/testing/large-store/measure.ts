import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OrgId } from '@deskside/shared/orgid';
import { openStore, type Store } from '#adapters/store-sql/store.ts';
import { draftOf } from '#adapters/store-sql/testing/decision-draft.ts';
import { createCleanUp } from '#app/retention/clean-up.ts';
import { createForgetClosedTickets } from '#app/retention/forget-closed-tickets.ts';
import { createAssignWaiting } from '#app/routing/assign-waiting.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { LargeStore } from './fill.ts';

const retentionMs = 400 * 24 * 3_600_000;
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const never = new AbortController().signal;

/** Milliseconds of each, over many. */
export interface PerRequest {
  opening: number;
  /** What a profile reads. */
  profile: number;
  /** What a webhook and the decision on its ticket write. */
  ticket: number;
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
    const each = async (work: (n: number) => Promise<unknown>) => {
      for (const n of some.slice(0, 20)) await work(n);
      const begun = performance.now();
      for (const n of some.slice(20)) await work(n);
      return (performance.now() - begun) / (asks - 20);
    };
    const turn = { team: 'Team 1', members: ['an', 'binh'], eligible: ['an', 'binh'] };
    return {
      opening,
      profile: await each(async (n) => {
        await store.syncLog.latest(String(n));
        await store.decisions.list(String(n));
        await store.profileCache.getCompanies('p', 'company_id', [
          OrgId.parse(String(200_000_000 + Math.ceil(n / 10))),
        ]);
      }),
      ticket: await each(async () => {
        const ticket = randomUUID();
        await store.inbox.accept({ digest: ticket, ticket, at: Date.now() });
        await store.decisions.add(draftOf(ticket), 0, turn);
      }),
      waiting: await average(5, () => assignWaiting(store)),
      backlog: await average(20, () => store.pipelineWatch.backlog(Date.now())),
    };
  } finally {
    await store.close();
  }
}

/** What is deleted at one time, how long that took, and the longest turn of the event loop meanwhile, in milliseconds. */
export interface Cleaned {
  seconds: number;
  /** As a clock sees it, and what of it was computed: the rest are other processes and the disk. */
  longestTurn: number;
  longestComputed: number;
}

/** All regular work on a store in which much is old: cleaning, waiting tickets, negative answers, a scrape. */
export async function measureRegularWork(databaseUrl: string, { now }: LargeStore): Promise<Cleaned> {
  const store = await openStore(databaseUrl);
  const clock = () => now;
  const tickets = { lookAtTickets: async () => new Map() };
  const forget = createForgetClosedTickets({ ...store, memory: store.ticketMemory, tickets, retentionMs, clock });
  const shared = { ...store, cache: store.profileCache, retentionMs, clock, logger };
  const cleanUp = createCleanUp({ ...shared, forgetClosedTickets: forget });
  try {
    // The first run notes how far earlier decisions are known; it is measured as well.
    const turns = watchTurns();
    const from = performance.now();
    await cleanUp(never);
    await assignWaiting(store);
    await store.profileCache.deleteNegative('p');
    await store.pipelineWatch.backlog(now);
    const seconds = (performance.now() - from) / 1_000;
    return { seconds, ...(await turns.end()) };
  } finally {
    await store.close();
  }
}

/** A run in which nobody of any team is available. */
function assignWaiting(store: Store): Promise<number> {
  const tickets = { readTeam: async () => ({ members: [] }) } as unknown as HelpdeskTickets;
  const withLock = createWithLock(store.leases);
  const apply = () => Promise.reject(new Error('Nobody is available'));
  return createAssignWaiting({ ...store, tickets, withLock, apply, clock: Date.now, logger })(never);
}

async function average(times: number, work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  for (let i = 0; i < times; i += 1) await work();
  return (performance.now() - from) / times;
}

/** Looks at each turn of the event loop until it is ended. */
function watchTurns(): { end(): Promise<Pick<Cleaned, 'longestTurn' | 'longestComputed'>> } {
  const longest = { longestTurn: 0, longestComputed: 0 };
  let isOver = false;
  const computed = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const watch = async () => {
    let before = { at: performance.now(), computed: computed() };
    while (!isOver) {
      await nextTurn();
      const now = { at: performance.now(), computed: computed() };
      longest.longestTurn = Math.max(longest.longestTurn, now.at - before.at);
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
