import { sql } from 'kysely';
import { AppError } from '#runtime/app-error.ts';
import { createKeyedMutex } from '#runtime/concurrency.ts';
import { type JobSchedule, runRegularly } from '#runtime/jobs.ts';
import type { Logger } from '#runtime/log.ts';
import { machine } from '#runtime/machine.ts';
import type { Clock } from '#runtime/memory.ts';
import { deleteSome, type StateDb } from './schema.ts';

// Exclusive rights, across all processes that share one store, as rows: they expire, so that a process that died does not
// block others for long; everyone sees them, and they work the same on both databases.

/** The longest lease, in milliseconds. One that ends later than this from now was dated by a clock that has since been set back. */
export const longestLeaseMs = 5 * 60_000;

/** By whose time they expire. */
export interface TimedDb {
  db: StateDb;
  clock: Clock;
}

/**
 * Takes those of the keys that nobody else holds, all at once, for the given milliseconds (at most `longestLeaseMs`).
 * Returns the keys taken; their holder may take them again.
 */
export async function take(
  { db, clock }: TimedDb,
  keys: readonly string[],
  owner: string,
  ms: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const now = clock();
  const until = now + Math.min(ms, longestLeaseMs);
  // In a fixed order, so that two processes never wait for each other's rows.
  const rows = [...new Set(keys)].sort().map((key) => ({ key, owner, until }));
  const taken = await db
    .insertInto('leases')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({ owner: ref('excluded.owner'), until: ref('excluded.until') }))
        .where(({ or, eb, ref }) =>
          or([
            eb('leases.until', '<=', now),
            eb('leases.until', '>', now + longestLeaseMs),
            eb('leases.owner', '=', ref('excluded.owner')),
          ]),
        ),
    )
    .returning('key')
    .execute();
  return new Set(taken.map(({ key }) => key));
}

/** Releases keys. Harmless for those that have expired, even if another owner holds them by now. */
export async function release({ db }: TimedDb, keys: readonly string[], owner: string): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('leases').where('key', 'in', keys).where('owner', '=', owner).execute();
}

/** Deletes what processes that died have left, at most `limit`; returns how many. What is held at one moment are a few dozen rows. */
export function deleteExpired({ db, clock }: TimedDb, limit: number): Promise<number> {
  return deleteSome(db, 'leases', ['key'], sql`until <= ${clock()}`, limit);
}

/** The lease of whoever runs the loops. */
const loopsKey = 'loops';

const usual = { lookEveryMs: 3_000, leaseMs: 10_000 };

/**
 * Regular work that one of all processes on a store does: whichever has its lease. A process that is killed is replaced
 * within `leaseMs + lookEveryMs` by one of the others; one that stops hands over at the next look
 * (docs/operate.md#several-replicas). A run may outlast the lease, so the work itself must bear being done twice.
 */
export function createDuties({
  logger,
  times: { lookEveryMs, leaseMs } = usual,
  ...store
}: TimedDb & { logger: Logger; times?: typeof usual }) {
  const owner = machine.uuid();
  const wakes: (() => void)[] = [];
  const stopped = new AbortController();
  /** By the clock that nobody sets. */
  let heldUntil = Number.NEGATIVE_INFINITY;
  const isHeld = () => machine.elapsed() < heldUntil;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const until = machine.elapsed() + leaseMs;
    const isTaken = (await take(store, [loopsKey], owner, leaseMs)).has(loopsKey);
    const isNew = isTaken && !isHeld();
    heldUntil = isTaken ? until : Number.NEGATIVE_INFINITY;
    if (isNew) for (const wake of wakes) wake();
  }

  return {
    /**
     * Runs a task while this process has the lease: at once when it gets it, then with a pause of the given milliseconds.
     *
     * @returns `ended` resolves once the signal has fired and the last run is over
     */
    regularly(how: JobSchedule, task: () => Promise<unknown>): { ended: Promise<void> } {
      const { wake, ended } = runRegularly(how, async () => isHeld() && task());
      wakes.push(wake);
      return { ended };
    },
    /** Begins to look for the lease; until then nothing runs. */
    start() {
      const how = { name: 'duties', everyMs: lookEveryMs, logger, stopped: stopped.signal };
      looking = runRegularly({ ...how, faultOf: () => 'store_failing' }, look).ended;
    },
    /** Lets others take over. */
    async stop() {
      stopped.abort();
      await looking;
      heldUntil = Number.NEGATIVE_INFINITY;
      await release(store, [loopsKey], owner).catch(() => {});
    },
  };
}

/**
 * Runs work exclusively for one key, across all processes on one store. Others queue up, at most half a
 * minute; then `rate_limited`. The signal aborts work that takes longer than 45 seconds.
 */
export type WithLock = <T>(key: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Renewed three times in its life while the work goes on, so that a process that died blocks others for no longer than this. */
const lockMs = 12_000;
const workMs = 45_000;
const patienceMs = 30_000;
const pauseMs = 25;
const retryAfterSeconds = 5;

export function createWithLock(store: TimedDb): WithLock {
  const owner = machine.uuid();
  const inThisProcess = createKeyedMutex();

  async function withLease<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveUp = machine.elapsed() + patienceMs;
    while (!(await take(store, [key], owner, lockMs)).has(key)) {
      if (machine.elapsed() > giveUp) throw AppError.rateLimited(retryAfterSeconds);
      await machine.wait(pauseMs * (0.5 + machine.random()));
    }
    const endRenewal = machine.every(lockMs / 3, () => void take(store, [key], owner, lockMs).catch(() => {}));
    try {
      return await work(machine.timeout(workMs));
    } finally {
      endRenewal();
      // A lease that cannot be released expires.
      await release(store, [key], owner).catch(() => {});
    }
  }

  // Within this process callers queue up, so that only one of them at a time asks the store.
  return (key, work) => inThisProcess(key, () => withLease(key, work));
}
