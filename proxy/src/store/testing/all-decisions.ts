import type { RoutingDecision } from '@deskside/shared/routing';
import type { Store } from '#store/store.ts';

/** What `latestOfAll` gives, as one list. */
export async function allDecisions(
  decisions: Pick<Store['decisions'], 'latestOfAll'>,
  afterId: string | null = null,
): Promise<RoutingDecision[]> {
  const all: RoutingDecision[] = [];
  for await (const decision of decisions.latestOfAll(afterId)) all.push(decision);
  return all;
}
