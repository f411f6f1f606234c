import { setTimeout as wait } from 'node:timers/promises';
import { type Context, lockTicket } from '#context.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { InsertedTicket } from '#helpdesk/tickets.ts';
import { AppError } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import type { TicketKey } from '#store/schema.ts';
import type { TicketWork } from '#store/tickets.ts';
import * as tickets from '#store/tickets.ts';
import { routeTicket } from './pipeline.ts';

/** Tickets worked on at the same time; the helpdesk has few workers (docs/helpdesk.md#reading). */
const atOnce = 4;
/**
 * How long work is taken for. What lasts longer is still done by one process at a time: whoever takes it next waits for the
 * lock.
 */
const leaseMs = 12_000;
const lookAgainMs = 250;
/** Names that the helpdesk is asked for in one request when more wait than can be worked on, and how long it may take. */
const askedAtOnce = 100;
const askWithinMs = 4_000;
const maxAsked = 5_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/** A rule of the site is in the way, and someone has to change it. */
const rejectedRetryMs = 10 * 60_000;

/** Processes everything that is due now, and what comes in meanwhile. One run at a time; a second call joins it. */
export type ProcessInbox = () => Promise<void>;

/**
 * Processes the tickets that wait for the pipeline, a few at a time. A ticket whose step failed is tried again after a
 * pause that grows to a minute; none is ever given up (ARCHITECTURE.md#a-new-ticket). Events for tickets that do not exist
 * hold up no others: where many wait, the helpdesk is asked for many names at once, and what it does not have is done. Once
 * the service stops nothing new is begun, and running work is aborted.
 *
 * @param current the context that is in force; a ticket ends on the one with which it began
 */
export function createProcessInbox(current: () => Context): ProcessInbox {
  const owner = crypto.randomUUID();
  let running: Promise<void> | null = null;
  return () => {
    running ??= processInbox(current, owner)
      .catch((error: unknown) => current().logger.error({ error: reasonOf(error) }, 'The inbox could not be read'))
      .finally(() => {
        running = null;
      });
    return running;
  };
}

async function processInbox(current: () => Context, owner: string): Promise<void> {
  const busy = new Map<string, Promise<void>>();
  const asked = new Set<string>();
  for (;;) {
    const ctx = current();
    const free = atOnce - busy.size;
    const taken = ctx.stopped.aborted || free === 0 ? [] : await take(ctx, owner, free);
    const mayHideMissing = taken.length === free && taken.some(({ name }) => !asked.has(name));
    const found = mayHideMissing ? await withoutMissing(ctx, owner, taken, busy, asked) : taken;
    for (const work of found) {
      // Work that lasts longer than it was taken for is taken again, most likely by this process.
      if (busy.has(work.name)) continue;
      busy.set(
        work.name,
        workOn(ctx, owner, work).finally(() => busy.delete(work.name)),
      );
    }
    // There is room for others at once.
    if (found.length < taken.length) continue;
    if (busy.size === 0) return;
    // A slow ticket does not hold up those that come in meanwhile.
    await Promise.race([...busy.values(), wait(lookAgainMs)]);
  }
}

function take({ db, clock }: Context, owner: string, limit: number): Promise<TicketWork[]> {
  return tickets.take(db, owner, { limit, now: clock(), leaseMs });
}

/**
 * Those of the taken tickets that the helpdesk may have. What waits behind them is looked at too, and is given back
 * unless it is missing. A helpdesk that does not say has them all: each is then tried by itself.
 */
async function withoutMissing(
  ctx: Context,
  owner: string,
  taken: TicketWork[],
  busy: ReadonlyMap<string, unknown>,
  asked: Set<string>,
) {
  const behind = (await take(ctx, owner, askedAtOnce - taken.length)).filter(({ name }) => !busy.has(name));
  const names = [...taken, ...behind].map(({ name }) => name);
  const inTime = AbortSignal.any([ctx.stopped, AbortSignal.timeout(askWithinMs)]);
  const missing =
    behind.length < atOnce
      ? new Set()
      : await ctx.helpdesk.ticketLists.missingAmong(names, inTime).catch((error: unknown) => {
          ctx.logger.warn({ error: reasonOf(error) }, 'The helpdesk does not say which tickets it has');
          return new Set();
        });
  if (asked.size > maxAsked) asked.clear();
  for (const name of names) asked.add(name);
  const isMissing = ({ name }: TicketWork) => missing.has(name);
  await tickets.finish(ctx.db, [...taken, ...behind].filter(isMissing), owner);
  await tickets.giveBack(
    ctx.db,
    behind.filter((work) => !isMissing(work)),
    owner,
  );
  return taken.filter((work) => !isMissing(work));
}

async function workOn(ctx: Context, owner: string, work: TicketWork): Promise<void> {
  try {
    const due = await lockTicket({ ...ctx, signal: ctx.stopped }, work.name, (locked) => routeTicket(locked, work));
    if (due === null) await tickets.finish(ctx.db, [work], owner);
    else await tickets.postpone(ctx.db, work, owner, due);
  } catch (error) {
    const due = ctx.clock() + (ctx.stopped.aborted ? 0 : pauseAfter(ctx, error, work));
    await tickets.postpone(ctx.db, work, owner, due).catch(() => {});
  }
}

/** Logs for the operator why a ticket has to wait, and returns for how long. */
function pauseAfter(ctx: Context, error: unknown, { name, attempts }: TicketWork): number {
  const fields = { error: reasonOf(error), ticket: name, attempts };
  if (error instanceof HelpdeskError && error.kind === 'rejected') {
    ctx.logger.error({ fault: 'ticket_write_rejected', ...fields }, 'The helpdesk refuses a write to a ticket');
    return rejectedRetryMs;
  }
  ctx.logger.warn(fields, 'A ticket failed and will be tried again');
  const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts, 10));
  // A helpdesk that limits how often it is asked says when it may be asked again.
  const { retryAfterSeconds = null } = error instanceof HelpdeskError || error instanceof AppError ? error : {};
  return Math.max(pause, (retryAfterSeconds ?? 0) * 1_000);
}

/**
 * Takes in what the webhook says of a new ticket, and has the pipeline look at it soon (docs/api.md#webhooks). Once this
 * resolves it survives `kill -9`; told again it has no effect.
 *
 * @param inserted the ticket as its insert left it; null if the webhook does not say
 */
export async function receiveTicketEvent(
  ctx: Context,
  ticket: TicketKey,
  inserted: InsertedTicket | null,
): Promise<'accepted' | 'known'> {
  const now = ctx.clock();
  if (inserted !== null) {
    if ((await tickets.accept(ctx.db, ticket.name, inserted, now)) === 'known') return 'known';
  } else {
    if ((await tickets.undecidedAmong(ctx.db, [ticket])).length === 0) return 'known';
    await tickets.enqueue(ctx.db, [ticket], { dueAt: now, now, foundBy: 'webhook' });
  }
  ctx.signs.emit('arrived');
  return 'accepted';
}
