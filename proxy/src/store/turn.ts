/** The turn in a team: its members in row order, and who of them may get a ticket now. */
export interface Turn {
  team: string;
  members: readonly string[];
  eligible: readonly string[];
}

/**
 * Whose turn it is (docs/routing.md#round-robin): the first eligible member after the one who got the last ticket, in
 * row order, wrapping. Turns run over all members, so that someone who comes back keeps their place.
 *
 * @param members all members in row order; a duplicate counts at its first place
 * @param last who got the last ticket; if nobody did, or they have left the team, turns begin with the first row
 * @returns null if nobody in `eligible` is a member
 */
export function nextInTurn(
  members: readonly string[],
  eligible: readonly string[],
  last: string | null,
): string | null {
  const ring = [...new Set(members)];
  const start = last === null ? 0 : ring.indexOf(last) + 1;
  const may = new Set(eligible);
  return [...ring.slice(start), ...ring.slice(0, start)].find((member) => may.has(member)) ?? null;
}
