import type { RoutingDecision } from '@deskside/shared/routing';
import type { Decisions } from '#ports/routing/decisions.ts';

/** Adds a decision that is kept for certain. */
export async function addTo(decisions: Decisions, ...args: Parameters<Decisions['add']>): Promise<RoutingDecision> {
  const decision = await decisions.add(...args);
  if (decision === null) throw new Error('The decision was not kept');
  return decision;
}
