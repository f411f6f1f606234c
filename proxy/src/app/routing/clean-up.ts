import type { Clock } from '#ports/clock.ts';
import type { Decisions } from '#ports/decisions.ts';
import type { Inbox } from '#ports/inbox.ts';

/** After this long no webhook is delivered again, and no insert takes that long. */
const keepMs = 30 * 24 * 3_600_000;

/** Deletes what only protects a ticket's first days: received events, and decisions made before its insert. */
export function createCleanUp(deps: {
  inbox: Pick<Inbox, 'deleteEventsBefore'>;
  decisions: Pick<Decisions, 'deletePreliminaryBefore'>;
  clock: Clock;
}): () => Promise<void> {
  const { inbox, decisions, clock } = deps;
  return async () => {
    await inbox.deleteEventsBefore(clock() - keepMs);
    await decisions.deletePreliminaryBefore(clock() - keepMs);
  };
}
