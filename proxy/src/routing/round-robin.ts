import type { AgentReason } from '@deskside/shared/routing';
import type { TeamMember } from '#helpdesk/people.ts';

export interface Eligibility {
  /** Users in row order, each once. */
  members: string[];
  /** Those who may get a ticket now; empty if nobody may. */
  eligible: string[];
  /** Every member with the reason for being passed over; eligible ones are `not_their_turn` until one is chosen. */
  candidates: { user: string; reason: AgentReason }[];
}

/**
 * Which members of a team may get a ticket (docs/routing.md#round-robin; availability as in docs/helpdesk.md#assignment):
 * enabled users with an active agent record who are active, or those who are away if nobody is active.
 */
export function eligibleAgents(team: readonly TeamMember[]): Eligibility {
  const rows = [...new Map(team.map((member) => [member.user, member])).values()];
  const ready = rows.filter(({ state }) => state === 'ready');
  const active = ready.filter(({ availability }) => availability === 'active');
  const pool = active.length > 0 ? active : ready.filter(({ availability }) => availability === 'away');
  const reasonFor = (member: TeamMember): AgentReason => {
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
