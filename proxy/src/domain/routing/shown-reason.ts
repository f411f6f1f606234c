import type { Assignment, RoutingOutcome } from '@deskside/shared/routing';

const waiting = 'Nobody is available; it is assigned as soon as somebody is back.';

/** The reason as the ticket shows it (docs/routing.md#reasons). */
export function shownReason({ reason }: Pick<RoutingOutcome, 'reason'>, state: Assignment['state']): string {
  return state === 'nobody_available' ? `${reason} ${waiting}` : reason;
}

/** The other way round: the reason of the outcome, and whether the ticket waited for somebody. */
export function readShownReason(shown: string): { reason: string; waits: boolean } {
  const waits = shown.endsWith(` ${waiting}`);
  return { reason: waits ? shown.slice(0, -waiting.length - 1) : shown, waits };
}
