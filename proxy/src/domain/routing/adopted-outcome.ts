import type { Assignment, RoutingOutcome } from '@deskside/shared/routing';
import { isKeptReason, type RoutingConfig, readShownReason } from './decide-routing.ts';

/** Group and reason as a ticket shows them. */
interface Shown {
  group: string;
  reason: string;
}

/**
 * The outcome of a decision of ours whose record is lost, as far as its ticket tells it (docs/decisions.md 36). A group
 * that was kept for a person stays theirs; what fell back because the CRM failed can still be repaired.
 */
export function adoptedOutcome(shown: Shown, teams: RoutingConfig['teams']): RoutingOutcome {
  const { reason } = readShownReason(shown.reason);
  const isKept = isKeptReason(reason);
  const failed = reason.includes('CRM error:');
  const plans = { [teams.medium_scale]: 'Medium Scale', [teams.medium_grow]: 'Medium Grow' } as const;
  const shopplan = plans[shown.group] ?? 'SME';
  return {
    team: isKept ? null : shown.group,
    segment: shopplan === 'SME' ? 'SME' : 'Medium',
    shopplan,
    service_plan: null,
    segment_source: 'default',
    error: '',
    status: failed ? 'API Error' : 'Complete',
    reason: reason || `Taken over after a restore: ${shown.group}.`,
    fallback: failed ? 'crm' : null,
    rules: [{ rule: 'group_kept', hit: true }],
  };
}

/**
 * Who has the ticket. It waits for somebody only if the reason says so and nobody has it.
 *
 * @param found.agent whom we assigned, if that still stands; `wasOurs`: whether we ever assigned anybody
 * @param found.isTaken whether anybody has it
 */
export function adoptedAssignment(
  { reason }: Shown,
  { agent, wasOurs, isTaken }: { agent: string | null; wasOurs: boolean; isTaken: boolean },
): Assignment {
  const { waits } = readShownReason(reason);
  if (agent !== null) return { state: 'assigned', agent, candidates: [] };
  const others = waits ? 'nobody_available' : 'none';
  const state = wasOurs ? 'withdrawn' : isTaken ? 'already_assigned' : others;
  return { state, agent: null, candidates: [] };
}
