/** How long a session of the operator page lasts at most, and how long without being used (docs/decisions.md 33). */
const sessionLife = { longestMs: 8 * 3_600_000, idleMs: 3_600_000 } as const;

/** Whether a session has ended by itself at this moment. All times in epoch milliseconds. */
export function isOver({ signedInAt, usedAt }: { signedInAt: number; usedAt: number }, now: number): boolean {
  return now >= signedInAt + sessionLife.longestMs || now >= usedAt + sessionLife.idleMs;
}

/** Sessions that began, or were last used, before these times are over. Epoch milliseconds. */
export function overBefore(now: number): { signedIn: number; used: number } {
  return { signedIn: now - sessionLife.longestMs, used: now - sessionLife.idleMs };
}
