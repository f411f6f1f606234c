import type { RoutingDecision } from '@deskside/shared/routing';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';

/** Adds a decision that is kept for certain. */
export async function addTo(...args: Parameters<typeof decisions.add>): Promise<RoutingDecision> {
  const decision = await decisions.add(...args);
  if (decision === null) throw new Error('The decision was not kept');
  return decision;
}

/** What `latestOfAll` gives, as one list. */
export async function allDecisions(db: StateDb, afterId: string | null = null): Promise<RoutingDecision[]> {
  const all: RoutingDecision[] = [];
  for await (const decision of decisions.latestOfAll(db, afterId)) all.push(decision);
  return all;
}
