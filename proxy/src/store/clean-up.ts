import type { TicketLists } from '#helpdesk/whole.ts';
import { restBetween } from '#runtime/concurrency.ts';
import { reasonOf } from '#runtime/jobs.ts';
import type { Logger } from '#runtime/log.ts';
import type { Clock } from '#runtime/memory.ts';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import * as profileCache from './profile-cache.ts';
import * as retention from './retention.ts';
import type { StateDb } from './schema.ts';

/** What of a context it takes to know what has been kept long enough. */
interface CleanUpParts {
  db: StateDb;
  clock: Clock;
  logger: Logger;
  helpdesk: { ticketLists: Pick<TicketLists, 'lookAt'> };
  retentionMs: number;
}

const dayMs = 24 * 3_600_000;
/** No insert takes that long. */
const unnamedMs = 30 * dayMs;
/** How long the CRM's answers, negative ones included, are kept as last good data. */
const cacheMs = 90 * dayMs;
/** Rows per statement: a click may have to wait for it where the database runs in this process. */
const portion = 20;

/**
 * Deletes what has been kept long enough (docs/data.md#tables), in portions between which everything else gets its
 * turn. What fails is logged and left for the next run; the first of it is thrown in the end.
 */
export async function cleanUp(ctx: CleanUpParts, signal: AbortSignal): Promise<void> {
  const { db, clock, logger } = ctx;
  const before = (ms: number) => clock() - ms;
  const tables: [string, (limit: number) => Promise<number>][] = [
    ['preliminary', (limit) => decisions.deletePreliminaryBefore(db, before(unnamedMs), limit)],
    ['answers', (limit) => profileCache.deleteCheckedBefore(db, before(cacheMs), limit)],
    ['leases', (limit) => leases.deleteExpired({ db, clock }, limit)],
  ];
  const removed: Record<string, number> = {};
  const failed: unknown[] = [];
  const note = async (what: string, work: Promise<number>) => {
    try {
      const count = await work;
      if (count > 0) removed[what] = count;
    } catch (error) {
      if (!signal.aborted) logger.warn({ what, error: reasonOf(error) }, 'Old data could not be deleted');
      failed.push(error);
    }
  };
  for (const [what, remove] of tables) await note(what, inPortions(remove, signal));
  await note('tickets', forgetClosedTickets(ctx, signal));
  if (Object.keys(removed).length > 0) logger.info({ removed }, 'Old data deleted');
  if (failed.length > 0) throw failed[0];
}

async function inPortions(remove: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let removed = 0;
  const rest = restBetween();
  while (!signal.aborted) {
    const count = await remove(portion);
    removed += count;
    // Also behind the last one: the next table's first follows.
    await rest();
    if (count < portion) break;
  }
  return removed;
}

/** Tickets per request to the helpdesk, and requests per run: what is left waits for the next. */
const askedAtOnce = { tickets: 100, requests: 100 };

/**
 * Deletes the records of tickets that have been closed for the whole period (docs/data.md#tables), a ticket at a time.
 * Returns how many. Throws HelpdeskError; what was deleted until then stays deleted.
 */
export async function forgetClosedTickets(ctx: Omit<CleanUpParts, 'logger'>, signal: AbortSignal): Promise<number> {
  const { db, helpdesk, clock } = ctx;
  let forgotten = 0;
  for (let requests = 0; requests < askedAtOnce.requests && !signal.aborted; requests += 1) {
    const now = clock();
    const before = now - ctx.retentionMs;
    const candidates = await retention.lastActiveBefore(db, before, askedAtOnce.tickets);
    if (candidates.length === 0) break;
    const names = [...new Set(candidates.map(({ name }) => name))];
    const looks = await helpdesk.ticketLists.lookAt(names, signal);
    const judged = candidates.map((one) => ({ ...one, ...judgeUse(one, looks.get(one.name) ?? null, now) }));
    await retention.noteActive(
      db,
      judged.filter(({ activeAt }) => activeAt >= before),
    );
    const rest = restBetween();
    for (const ticket of judged) {
      if (ticket.activeAt >= before || signal.aborted) continue;
      if (await retention.forget(db, ticket, before)) forgotten += 1;
      await rest();
    }
  }
  return forgotten;
}

/** A ticket as a look at the helpdesk shows it; null if the helpdesk has it no more. `modifiedAt` in epoch milliseconds. */
type TicketLook = { closed: boolean; modifiedAt: number } | null;

/**
 * When a ticket was last in use, as far as one look can tell (docs/data.md#tables): an open one is in use now, a closed
 * one was when it was last changed, and one that is gone counts as closed since we first noticed.
 */
function judgeUse(
  { activeAt, gone }: { activeAt: number; gone: boolean },
  look: TicketLook,
  now: number,
): { activeAt: number; gone: boolean } {
  if (look === null) return { activeAt: gone ? activeAt : now, gone: true };
  // A stamp ahead of us, by a wrong clock, must not keep a ticket for good.
  return { activeAt: look.closed ? Math.max(activeAt, Math.min(look.modifiedAt, now)) : now, gone: false };
}
