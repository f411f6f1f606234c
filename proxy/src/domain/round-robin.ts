/**
 * Whose turn it is (spec.md, "Round robin assignment"): the first of those who may get a ticket after the one who got the
 * last, in row order, wrapping. Turns are counted over all members, so that somebody who comes back keeps his place.
 *
 * @param members everybody in row order; one who stands twice counts where he stands first
 * @param last who got the last ticket; where nobody did, or he left the team, the turns begin with the first row
 * @returns null where nobody of `eligible` is a member
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
