import type { RoutingDecision } from '@deskside/shared/routing';
import type { Store } from '#store/store.ts';

/** Adds a decision that is kept for certain. */
export async function addTo(
  decisions: Store['decisions'],
  ...args: Parameters<Store['decisions']['add']>
): Promise<RoutingDecision> {
  const decision = await decisions.add(...args);
  if (decision === null) throw new Error('The decision was not kept');
  return decision;
}

/** What `latestOfAll` gives, as one list. */
export async function allDecisions(
  decisions: Pick<Store['decisions'], 'latestOfAll'>,
  afterId: string | null = null,
): Promise<RoutingDecision[]> {
  const all: RoutingDecision[] = [];
  for await (const decision of decisions.latestOfAll(afterId)) all.push(decision);
  return all;
}
