import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Inbox, SweepMark } from '#ports/intake/inbox.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';

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
 * sweep are ignored. Throws HelpdeskError; the next sweep then begins where this one stopped.
 *
 * @param isWide begin hours before the last mark, for timestamps that were set back by a clock change
 */
export type SweepTickets = (isWide: boolean, signal: AbortSignal) => Promise<number>;

/** How far before the last mark to begin. */
const overlapMs = { usual: 5 * 60_000, wide: 3 * 3_600_000 };

const pageSize = 500;
/** How many unreadable tickets are remembered, so that each is reported once. */
const maxReported = 1_000;

export function createSweepTickets(deps: SweepDeps): SweepTickets {
  const { tickets, mark, inbox, decisions, clock, logger } = deps;
  const reported = new Set<string>();

  return async (isWide, signal) => {
    const known = await mark.read();
    const present = await tickets.stampOf(clock(), signal);
    if (known === null) {
      await mark.write({ from: present, until: present });
      return 0;
    }
    let found = 0;
    // A ticket stamped in the future must not make the sweep pass over everything until then.
    let until = earlier(known.until, present);
    let at = { since: tickets.stampBefore(until, isWide ? overlapMs.wide : overlapMs.usual), offset: 0 };
    for (;;) {
      const page = await tickets.listModifiedSince(at.since, { limit: pageSize, offset: at.offset }, signal);
      for (const name of page.unreadable) report(name);
      found += await takeIn(page.tickets.filter(({ creation }) => creation >= known.from).map(({ name }) => name));
      const latest = page.tickets.at(-1)?.modified ?? at.since;
      until = later(until, earlier(latest, present));
      await mark.write({ from: known.from, until });
      const rows = page.tickets.length + page.unreadable.length;
      if (rows < pageSize) break;
      // On by stamp, since a ticket that is changed meanwhile moves to the end and all others up by one.
      at = latest > at.since ? { since: latest, offset: 0 } : { since: latest, offset: at.offset + rows };
    }
    if (found > 0) logger.info({ found }, 'Tickets found whose webhook has not come');
    return found;
  };

  async function takeIn(fresh: string[]): Promise<number> {
    const decided = await decisions.decided(fresh);
    const queued = await inbox.waitingAmong(fresh);
    const missed = fresh.filter((name) => !decided.has(name) && !queued.has(name));
    if (missed.length > 0) await inbox.enqueue(missed, clock(), clock());
    return missed.length;
  }

  function report(ticket: string) {
    if (reported.has(ticket) || reported.size >= maxReported) return;
    reported.add(ticket);
    logger.error({ alert: 'ticket_unreadable', ticket }, 'A ticket cannot be read by the sweep and is left out');
  }
}

const earlier = (a: string, b: string) => (a < b ? a : b);
const later = (a: string, b: string) => (a > b ? a : b);
