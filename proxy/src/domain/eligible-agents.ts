import type { AgentReason } from '@deskside/shared/routing';

/** A member of a team, as far as it matters whether he gets tickets. */
export interface Member {
  user: string;
  state: 'ready' | 'user_disabled' | 'no_agent_record' | 'agent_inactive';
  availability: 'active' | 'away' | 'unavailable';
}

export interface Eligibility {
  /** Users in row order, each once. */
  members: string[];
  /** Those who may get a ticket now; empty where nobody may. */
  eligible: string[];
  /** Every member with the reason that keeps him out; the eligible ones as `not_his_turn` until one is chosen. */
  candidates: { user: string; reason: AgentReason }[];
}

/**
 * Who of a team may get a ticket (spec.md, "Round robin assignment"; availability as in facts/frappe.md
 * section 7): enabled users with an active HD Agent, the active ones, and those who are away only where nobody is active.
 */
export function eligibleAgents(team: readonly Member[]): Eligibility {
  const rows = [...new Map(team.map((member) => [member.user, member])).values()];
  const ready = rows.filter(({ state }) => state === 'ready');
  const active = ready.filter(({ availability }) => availability === 'active');
  const pool = active.length > 0 ? active : ready.filter(({ availability }) => availability === 'away');
  const reasonFor = (member: Member): AgentReason => {
    if (member.state !== 'ready') return member.state;
    if (member.availability === 'unavailable') return 'unavailable';
    return pool.includes(member) ? 'not_his_turn' : 'away_while_others_are_active';
  };
  return {
    members: rows.map(({ user }) => user),
    eligible: pool.map(({ user }) => user),
    candidates: rows.map((member) => ({ user: member.user, reason: reasonFor(member) })),
  };
}
