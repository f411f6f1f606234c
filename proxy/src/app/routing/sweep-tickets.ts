import type { Clock } from '#ports/clock.ts';
import type { Decisions } from '#ports/decisions.ts';
import type { HelpdeskTickets } from '#ports/helpdesk-tickets.ts';
import type { Inbox, SweepMark } from '#ports/inbox.ts';
import type { Logger } from '#ports/logger.ts';

export interface SweepDeps {
  tickets: Pick<HelpdeskTickets, 'listModifiedSince' | 'stampOf' | 'stampBefore'>;
  mark: SweepMark;
  inbox: Pick<Inbox, 'enqueue' | 'waitingAmong'>;
  decisions: Pick<Decisions, 'decided'>;
  clock: Clock;
  logger: Logger;
}

/**
 * Finds new tickets whose webhook never came (docs/helpdesk.md#webhooks): those modified since the last sweep, with
 * some overlap, because timestamps are set before a write becomes visible. Its progress is stored in the helpdesk's own
 * timestamps, so the clocks may differ. Returns how many tickets it put in the inbox; tickets created before the first
 * sweep are ignored. Throws HelpdeskError; the next sweep then begins where this one began.
 *
 * @param isWide begin hours before the last mark, for timestamps that were set back by a clock change
 */
export type SweepTickets = (isWide: boolean, signal: AbortSignal) => Promise<number>;

/** How far before the last mark to begin. */
const overlapMs = { usual: 5 * 60_000, wide: 3 * 3_600_000 };

const pageSize = 500;

export function createSweepTickets(deps: SweepDeps): SweepTickets {
  const { tickets, mark, inbox, decisions, clock, logger } = deps;

  return async (isWide, signal) => {
    const known = await mark.read();
    if (known === null) {
      const now = await tickets.stampOf(clock(), signal);
      await mark.write({ from: now, until: now });
      return 0;
    }
    let found = 0;
    let latest: string | null = null;
    let at = { since: tickets.stampBefore(known.until, isWide ? overlapMs.wide : overlapMs.usual), offset: 0 };
    for (;;) {
      const page = await tickets.listModifiedSince(at.since, { limit: pageSize, offset: at.offset }, signal);
      const fresh = page.filter(({ creation }) => creation >= known.from).map(({ name }) => name);
      const decided = await decisions.decided(fresh);
      const queued = await inbox.waitingAmong(fresh);
      const missed = fresh.filter((name) => !decided.has(name) && !queued.has(name));
      if (missed.length > 0) await inbox.enqueue(missed, clock(), clock());
      found += missed.length;
      latest = page.at(-1)?.modified ?? latest;
      if (page.length < pageSize || latest === null) break;
      // On by stamp, since a ticket that is changed meanwhile moves to the end and all others up by one.
      at = latest > at.since ? { since: latest, offset: 0 } : { since: latest, offset: at.offset + pageSize };
    }
    await mark.write({ from: known.from, until: latest ?? known.until });
    if (found > 0) logger.info({ found }, 'Tickets found whose webhook has not come');
    return found;
  };
}
