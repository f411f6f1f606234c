import type { Context } from '#context.ts';
import { restBetween } from '#runtime/concurrency.ts';
import { judgeUse } from './judge-use.ts';
import * as tickets from './tickets.ts';

/** Tickets per request to the helpdesk, and requests per run: what is left waits for the next. */
const portion = { tickets: 100, requests: 100 };

/**
 * Deletes the records of tickets that have been closed for the whole period (docs/decisions.md 24), a ticket at a time.
 * Returns how many. Throws HelpdeskError; what was deleted until then stays deleted.
 */
export async function forgetClosedTickets(ctx: Context, signal: AbortSignal): Promise<number> {
  const { db, helpdesk, clock } = ctx;
  let forgotten = 0;
  for (let requests = 0; requests < portion.requests && !signal.aborted; requests += 1) {
    const now = clock();
    const before = now - ctx.retentionMs;
    const candidates = await tickets.lastActiveBefore(db, before, portion.tickets);
    if (candidates.length === 0) break;
    const names = [...new Set(candidates.map(({ name }) => name))];
    const seen = await helpdesk.ticketLists.lookAt(names, signal);
    const judged = candidates.map((one) => ({ ...one, ...judgeUse(one, seen.get(one.name) ?? null, now) }));
    await tickets.noteActive(
      db,
      judged.filter(({ activeAt }) => activeAt >= before),
    );
    const rest = restBetween();
    for (const ticket of judged) {
      if (ticket.activeAt >= before || signal.aborted) continue;
      if (await tickets.forget(db, ticket, before)) forgotten += 1;
      await rest();
    }
  }
  return forgotten;
}
