import { type Context, lockTicket, type Work } from '#context.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { stampBefore } from '#helpdesk/site-time.ts';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { AppError } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import { machine } from '#runtime/machine.ts';
import * as notes from '#store/notes.ts';
import type { Insert, TicketWork } from '#store/tickets.ts';
import * as tickets from '#store/tickets.ts';
import { routeTicket } from './pipeline.ts';

// How tickets come in, by webhook or by sweep, and are then worked on.

/**
 * Takes in what the webhook says of a new ticket, and has the pipeline look at it soon (docs/api.md#webhooks). Once this
 * resolves it survives `kill -9`; told again it has no effect.
 *
 * @param inserted the ticket as its insert left it; null if the webhook does not say
 */
export async function receiveTicketEvent(
  ctx: Context,
  ticket: TicketKey,
  inserted: Insert | null,
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

/** How far before the last mark to begin. */
const overlapMs = { usual: 5 * 60_000, wide: 3 * 3_600_000 };

const pageSize = 500;
/** How many unreadable tickets are remembered, so that each is reported once. */
const maxReported = 1_000;

/**
 * Finds new tickets whose webhook never came (docs/helpdesk.md#webhooks): those modified since the last sweep, with
 * some overlap, because timestamps are set before a write becomes visible. Its progress is stored in the helpdesk's own
 * timestamps, so the clocks may differ. Returns how many tickets it put in the inbox; tickets created before the first
 * sweep are ignored. Throws HelpdeskError; the next sweep then begins where this one stopped.
 *
 * @param how.isWide begin hours before the last mark, for timestamps that were set back by a clock change
 * @param how.reported names of unreadable tickets, which are told of once; those that it finds are added
 */
export async function sweepTickets(
  ctx: Work,
  { isWide, reported }: { isWide: boolean; reported: Set<string> },
): Promise<number> {
  const known = await notes.swept(ctx.db);
  const present = await ctx.helpdesk.stampOf(ctx.clock(), ctx.signal);
  if (known === null) {
    await notes.noteInstalled(ctx.db, present, ctx.clock());
    return 0;
  }
  let found = 0;
  // A ticket stamped in the future must not make the sweep pass over everything until then.
  let until = earlier(known.until, present);
  let at = { since: stampBefore(until, isWide ? overlapMs.wide : overlapMs.usual), offset: 0 };
  for (;;) {
    const page = await ctx.helpdesk.ticketLists.modifiedSince(
      at.since,
      { limit: pageSize, offset: at.offset },
      ctx.signal,
    );
    for (const name of page.unreadable) report(ctx, name, reported);
    const fresh = page.tickets.filter(({ creation }) => creation >= known.from);
    const due = [...(await tickets.undecidedAmong(ctx.db, fresh)), ...(await savedAgain(ctx, fresh))];
    const now = ctx.clock();
    await tickets.enqueue(ctx.db, due, { dueAt: now, now });
    found += due.length;
    const latest = page.tickets.at(-1)?.modified ?? at.since;
    until = later(until, earlier(latest, present));
    await notes.noteSwept(ctx.db, until, ctx.clock());
    const rows = page.tickets.length + page.unreadable.length;
    if (rows < pageSize) break;
    // On by stamp, since a ticket that is changed meanwhile moves to the end and all others up by one.
    at = latest > at.since ? { since: latest, offset: 0 } : { since: latest, offset: at.offset + rows };
  }
  if (found > 0)
    ctx.logger.info({ found }, 'Tickets found whose webhook has not come, or that were saved after a refusal');
  return found;
}

/** Tickets that somebody has saved since the helpdesk refused what we would write to them. */
async function savedAgain<Key extends TicketKey & { modified: string }>(ctx: Work, fresh: readonly Key[]) {
  const refusals = new Map((await notes.refusals(ctx.db)).map((one) => [`${one.name} ${one.creation}`, one.modified]));
  return fresh.filter(({ name, creation, modified }) => (refusals.get(`${name} ${creation}`) ?? modified) !== modified);
}

function report(ctx: Work, ticket: string, reported: Set<string>) {
  if (reported.has(ticket) || reported.size >= maxReported) return;
  reported.add(ticket);
  ctx.logger.error({ fault: 'ticket_unreadable', ticket }, 'A ticket cannot be read by the sweep and is left out');
}

const earlier = (a: string, b: string) => (a < b ? a : b);
const later = (a: string, b: string) => (a > b ? a : b);

/**
 * Tickets worked on at the same time; the helpdesk has few workers (docs/helpdesk.md#reading). A new ticket does not queue
 * behind a backlog, and one place is always left to what has waited longest.
 */
const places = { longest_due: 1, announced: 3 } as const satisfies Record<tickets.DueOrder, number>;
/**
 * How long work is taken for. What lasts longer is still done by one process at a time: whoever takes it next waits for the
 * lock.
 */
const leaseMs = 12_000;
const lookAgainMs = 250;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/** A rule of the site is in the way, and someone has to change it. */
const rejectedRetryMs = 10 * 60_000;

/**
 * Processes the tickets that wait for the pipeline, a few at a time. A ticket whose step failed is tried again after a
 * pause that grows to a minute; none is ever given up (ARCHITECTURE.md#a-new-ticket). Once the service stops nothing new is
 * begun, and running work is aborted.
 *
 * @param current the context that is in force; a ticket ends on the one with which it began
 * @returns processes everything that is due now, and what comes in meanwhile. One run at a time; a second call joins it.
 * Throws where the store does not say what is due
 */
export function createProcessInbox(current: () => Context): () => Promise<void> {
  const owner = machine.uuid();
  let running: Promise<void> | null = null;
  return () => {
    running ??= processInbox(current, owner).finally(() => {
      running = null;
    });
    return running;
  };
}

async function processInbox(current: () => Context, owner: string): Promise<void> {
  const busy = new Map<string, { place: tickets.DueOrder; done: Promise<void> }>();

  async function fill(ctx: Context, place: tickets.DueOrder): Promise<void> {
    const limit = places[place] - [...busy.values()].filter((one) => one.place === place).length;
    if (ctx.stopped.aborted || limit === 0) return;
    for (const work of await tickets.take(ctx.db, owner, { limit, now: ctx.clock(), leaseMs, order: place })) {
      // Work that lasts longer than it was taken for is taken again, most likely by this process.
      if (busy.has(work.name)) continue;
      const done = workOn(ctx, owner, work).finally(() => busy.delete(work.name));
      busy.set(work.name, { place, done });
    }
  }

  for (;;) {
    const ctx = current();
    await fill(ctx, 'longest_due');
    await fill(ctx, 'announced');
    if (busy.size === 0) return;
    // A slow ticket does not hold up those that come in meanwhile.
    await Promise.race([...[...busy.values()].map(({ done }) => done), machine.wait(lookAgainMs)]);
  }
}

async function workOn(ctx: Context, owner: string, work: TicketWork): Promise<void> {
  try {
    const due = await lockTicket({ ...ctx, signal: ctx.stopped }, work.name, (locked) => routeTicket(locked, work));
    if (work.attempts > 0) await notes.endRefusal(ctx.db, work);
    if (due === null) await tickets.finish(ctx.db, work, owner);
    else await tickets.postpone(ctx.db, work, owner, due);
  } catch (error) {
    if (isRefusal(error)) await noteRefusal(ctx, work, error).catch(() => {});
    const due = ctx.clock() + (ctx.stopped.aborted ? 0 : pauseAfter(ctx, error, work));
    await tickets.postpone(ctx.db, work, owner, due).catch(() => {});
  }
}

function isRefusal(error: unknown): error is HelpdeskError {
  return error instanceof HelpdeskError && error.kind === 'rejected';
}

/** Keeps what the helpdesk has against the ticket, for whoever can mend it. */
async function noteRefusal(ctx: Context, { name, creation }: TicketWork, { refusal, refusedFields }: HelpdeskError) {
  const { modified } = await ctx.helpdesk.tickets.read(name, ctx.stopped);
  const why = refusal ?? 'HD Ticket refuses the write';
  await notes.noteRefusal(ctx.db, { name, creation, modified, refusal: why, fields: [...refusedFields] }, ctx.clock());
}

/** Logs for the operator why a ticket has to wait, and returns for how long. */
function pauseAfter(ctx: Context, error: unknown, { name, attempts }: TicketWork): number {
  const fields = { error: reasonOf(error), ticket: name, attempts };
  if (isRefusal(error)) {
    const { refusal } = error;
    ctx.logger.error(
      { fault: 'ticket_write_rejected', ...fields, refusal },
      'The helpdesk refuses a write to a ticket',
    );
    return rejectedRetryMs;
  }
  ctx.logger.warn(fields, 'A ticket failed and will be tried again');
  const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts, 10));
  // A helpdesk that limits how often it is asked says when it may be asked again.
  const { retryAfterSeconds = null } = error instanceof HelpdeskError || error instanceof AppError ? error : {};
  return Math.max(pause, (retryAfterSeconds ?? 0) * 1_000);
}
