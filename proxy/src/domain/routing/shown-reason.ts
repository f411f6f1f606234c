import type { Assignment, RoutingOutcome } from '@deskside/shared/routing';

const waits = 'Nobody is available; it is assigned as soon as somebody is back.';

/** The reason as the ticket shows it (docs/routing.md#reasons). */
export function shownReason({ reason }: Pick<RoutingOutcome, 'reason'>, state: Assignment['state']): string {
  return state === 'nobody_available' ? `${reason} ${waits}` : reason;
}
