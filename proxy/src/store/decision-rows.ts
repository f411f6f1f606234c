import { RoutingDecision } from '@deskside/shared/routing';

/** What a row says. Throws if it is not a valid decision: it is our own record, and nothing else says what was decided. */
export function decisionOf({ id, decision }: { id: number; decision: string }): RoutingDecision {
  return RoutingDecision.parse({ ...JSON.parse(decision), id: String(id) });
}

/** The row of a decision. Throws if there is none with such an id. */
export function numberOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new Error(`There is no decision ${id}`);
  return Number(id);
}
