import * as z from 'zod/mini';
import { RoutingRule } from '../routing.ts';

const instant = z.string();
const count = z.int();

/** How a team's tickets of the day were shared out. */
const TeamDay = z.object({
  team: z.string(),
  tickets: count,
  /**
   * How far apart its agents are, in tickets, beyond what each was due; null if nobody got a turn
   * (docs/routing.md#round-robin).
   */
  spread: z.nullable(z.number()),
  /** `due`: an equal part of every ticket that one could have got. */
  agents: z.array(z.object({ user: z.string(), name: z.nullable(z.string()), tickets: count, due: z.number() })),
});
export type TeamDay = z.infer<typeof TeamDay>;

export const OperatorRouting = z.object({
  since: instant,
  as_of: instant,
  /** Tickets with a decision. */
  tickets: count,
  teams: z.array(TeamDay),
  /** `claimed`: of tickets that Today counts as claimed. */
  rules: z.array(z.object({ rule: RoutingRule, tickets: count, claimed: count })),
  by_hour: z.array(z.object({ at: instant, tickets: count })),
  /** Tickets that were routed without something that failed, and how many of them still stand like that. */
  fallbacks: z.array(z.object({ fallback: z.enum(['crm', 'meta_json', 'team_missing']), tickets: count, open: count })),
  /** How new tickets were found. `sweep`: those for which no webhook has come. */
  found: z.object({ webhook: count, sweep: count }),
  /** Tickets that were routed again after a failure. */
  repairs: count,
  /** Tickets with a team that somebody else had chosen, before or meanwhile. */
  kept: count,
});
export type OperatorRouting = z.infer<typeof OperatorRouting>;
