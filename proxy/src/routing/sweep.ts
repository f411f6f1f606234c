import type { Work } from '#context.ts';
import { stampBefore } from '#helpdesk/values.ts';
import * as notes from '#store/notes.ts';
import type { TicketKey } from '#store/schema.ts';
import * as tickets from '#store/tickets.ts';

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
    found += await takeIn(
      ctx,
      page.tickets.filter(({ creation }) => creation >= known.from),
    );
    const latest = page.tickets.at(-1)?.modified ?? at.since;
    until = later(until, earlier(latest, present));
    await notes.noteSwept(ctx.db, until, ctx.clock());
    const rows = page.tickets.length + page.unreadable.length;
    if (rows < pageSize) break;
    // On by stamp, since a ticket that is changed meanwhile moves to the end and all others up by one.
    at = latest > at.since ? { since: latest, offset: 0 } : { since: latest, offset: at.offset + rows };
  }
  if (found > 0) ctx.logger.info({ found }, 'Tickets found whose webhook has not come');
  return found;
}

async function takeIn(ctx: Work, fresh: readonly TicketKey[]): Promise<number> {
  const missed = await tickets.undecidedAmong(ctx.db, fresh);
  const now = ctx.clock();
  await tickets.enqueue(ctx.db, missed, { dueAt: now, now });
  return missed.length;
}

function report(ctx: Work, ticket: string, reported: Set<string>) {
  if (reported.has(ticket) || reported.size >= maxReported) return;
  reported.add(ticket);
  ctx.logger.error({ fault: 'ticket_unreadable', ticket }, 'A ticket cannot be read by the sweep and is left out');
}

const earlier = (a: string, b: string) => (a < b ? a : b);
const later = (a: string, b: string) => (a > b ? a : b);
