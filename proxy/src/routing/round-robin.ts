import type { AgentReason } from '@deskside/shared/routing';
import type { Turn } from '#store/decisions.ts';

/** A team member, with what decides whether they get tickets. */
export interface Member {
  user: string;
  state: 'ready' | 'user_disabled' | 'no_agent_record' | 'agent_inactive';
  availability: 'active' | 'away' | 'unavailable';
}

export interface Eligibility {
  /** Users in row order, each once. */
  members: string[];
  /** Those who may get a ticket now; empty if nobody may. */
  eligible: string[];
  /** Every member with the reason for being passed over; eligible ones are `not_their_turn` until one is chosen. */
  candidates: { user: string; reason: AgentReason }[];
}

/**
 * Which members of a team may get a ticket (docs/routing.md#round-robin; availability as in
 * docs/helpdesk.md#assignment): enabled users with an active agent record who are active, or those who are away if
 * nobody is active.
 */
export function eligibleAgents(team: readonly Member[]): Eligibility {
  const rows = [...new Map(team.map((member) => [member.user, member])).values()];
  const ready = rows.filter(({ state }) => state === 'ready');
  const active = ready.filter(({ availability }) => availability === 'active');
  const pool = active.length > 0 ? active : ready.filter(({ availability }) => availability === 'away');
  const reasonFor = (member: Member): AgentReason => {
    if (member.state !== 'ready') return member.state;
    if (member.availability === 'unavailable') return 'unavailable';
    return pool.includes(member) ? 'not_their_turn' : 'away_while_others_are_active';
  };
  return {
    members: rows.map(({ user }) => user),
    eligible: pool.map(({ user }) => user),
    candidates: rows.map((member) => ({ user: member.user, reason: reasonFor(member) })),
  };
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

/** The turn in a team, to be taken with a decision. */
export function turnIn(team: string, members: readonly string[], eligible: readonly string[] = members): Turn {
  return { team, next: (last) => nextInTurn(members, eligible, last) };
}
