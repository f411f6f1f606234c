/** A ticket as a look at the helpdesk shows it; null if the helpdesk has it no more. `modifiedAt` in epoch milliseconds. */
export type SeenTicket = { closed: boolean; modifiedAt: number } | null;

/**
 * When a ticket was last in use, as far as one look can tell (docs/decisions.md 24): an open one is in use now, a closed
 * one was when it was last changed, and one that is gone counts as closed since we first noticed.
 */
export function judgeUse(
  { activeAt, gone }: { activeAt: number; gone: boolean },
  seen: SeenTicket,
  now: number,
): { activeAt: number; gone: boolean } {
  if (seen === null) return { activeAt: gone ? activeAt : now, gone: true };
  // A stamp ahead of us, by a wrong clock, must not keep a ticket for good.
  return { activeAt: seen.closed ? Math.max(activeAt, Math.min(seen.modifiedAt, now)) : now, gone: false };
}
