import type { Assignment, RoutingDecision } from '@deskside/shared/routing';

/**
 * The assignment with its agent, whose candidate entry becomes `next_in_turn`; the other candidates stay as they are.
 */
export function withAgentInTurn(assignment: Omit<Assignment, 'agent'>, agent: string): Assignment {
  const candidates = assignment.candidates.map((candidate) =>
    candidate.user === agent ? { ...candidate, reason: 'next_in_turn' as const } : candidate,
  );
  return { ...assignment, agent, candidates };
}

/** A change to a decision; what is absent stays. */
export interface DecisionChange {
  state?: RoutingDecision['state'];
  assignment?: Partial<Assignment>;
  link?: RoutingDecision['link'];
  /** The reason as the ticket now shows it. */
  reason?: string;
}

/**
 * Applies a change to a decision; what is absent or undefined stays. Inputs and outcome stay as well, except for the
 * reason, which becomes the one written to the ticket.
 */
export function changeDecision(decision: RoutingDecision, change: DecisionChange): RoutingDecision {
  const { assignment } = decision;
  const waited = change.assignment?.waited ?? assignment.waited;
  return {
    ...decision,
    state: change.state ?? decision.state,
    assignment: {
      state: change.assignment?.state ?? assignment.state,
      agent: change.assignment?.agent === undefined ? assignment.agent : change.assignment.agent,
      candidates: change.assignment?.candidates ?? assignment.candidates,
      ...(waited !== undefined && { waited }),
    },
    link: change.link === undefined ? decision.link : change.link,
    outcome: { ...decision.outcome, reason: change.reason ?? decision.outcome.reason },
  };
}
