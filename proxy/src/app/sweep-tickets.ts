import { stampBefore } from '../domain/stamp.ts';
import type { Clock } from '../ports/clock.ts';
import type { Decisions } from '../ports/decisions.ts';
import type { HelpdeskTickets } from '../ports/helpdesk-tickets.ts';
import type { Inbox, SweepMark } from '../ports/inbox.ts';

export interface SweepDeps {
  tickets: Pick<HelpdeskTickets, 'listModifiedSince' | 'stampOf'>;
  mark: SweepMark;
  inbox: Pick<Inbox, 'enqueue' | 'waitingAmong'>;
  decisions: Pick<Decisions, 'decided'>;
  clock: Clock;
}

/**
 * Finds new tickets whose webhook never came (facts/live.md section 4): those modified since the last sweep, a little
 * overlap included, because stamps are set before a write can be seen. How far it came is told by the helpdesk's own
 * stamps, so that its clock may differ from ours. Gives how many tickets it put in the inbox; one that was created before
 * the first sweep is none of ours. Throws HelpdeskError; the next sweep begins where this one began.
 *
 * @param overlapMs how far before the last mark to begin
 */
export type SweepTickets = (overlapMs: number, signal: AbortSignal) => Promise<number>;

const pageSize = 500;

export function createSweepTickets(deps: SweepDeps): SweepTickets {
  const { tickets, mark, inbox, decisions, clock } = deps;

  return async (overlapMs, signal) => {
    const known = await mark.read();
    if (known === null) {
      const now = await tickets.stampOf(clock(), signal);
      await mark.write({ from: now, until: now });
      return 0;
    }
    let found = 0;
    let latest: string | null = null;
    let at = { since: stampBefore(known.until, overlapMs), offset: 0 };
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
    return found;
  };
}
