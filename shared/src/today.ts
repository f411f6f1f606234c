import * as z from 'zod/mini';
import { OrgId } from './orgid.ts';
import { AgentReason, RoutingDecision, RoutingOutcome, RoutingRule } from './routing.ts';
import { CrmErrorCode, TrustLevel } from './status.ts';

const text = z.nullable(z.string());
const number = z.int();

/** A day is 23 to 25 hours long where clocks are changed. */
const longestDayMs = 26 * 3_600_000;

/** An instant as a query says it, in epoch milliseconds. */
const Moment = z.pipe(
  z.pipe(
    z.union([z.string(), z.number()], 'Expected epoch milliseconds.'),
    z.transform((value) => (value === '' ? Number.NaN : Number(value))),
  ),
  z.int('Expected epoch milliseconds.').check(z.nonnegative('Expected epoch milliseconds.')),
);

/** How many rows of each list are told unless more are asked for, and at most. */
export const fewestRows = 50;
export const mostRows = 1_000;

/** A day as the caller's own clock has it: from its first moment, up to the first of the next. `rows`: of each list. */
export const TodayInput = z
  .object({ from: Moment, to: Moment, rows: z.optional(Moment.check(z.minimum(fewestRows), z.maximum(mostRows))) })
  .check(
    z.refine(({ from, to }) => to > from && to - from <= longestDayMs, {
      path: ['to'],
      message: 'Expected a moment after `from`, at most 26 hours later.',
    }),
  );

/**
 * What one agent got of a team's tickets. `due`: an equal part of every ticket whose turn it was and that they could have
 * got, so absence makes nobody look favoured.
 */
const AgentShare = z.object({ agent: z.string(), tickets: number, due: z.number() });

/**
 * Tickets of one team. `team` is null where the team of the rules does not exist. `waiting`: nobody was available.
 * `by_person`: a person had assigned them. `for_nobody`: they were closed or answered before anybody had them, or were to
 * stay as they were.
 */
const TeamShare = z.object({
  team: text,
  tickets: number,
  waiting: number,
  by_person: number,
  for_nobody: number,
  agents: z.array(AgentShare),
});
export type TeamShare = z.infer<typeof TeamShare>;

/** A ticket that waits for an agent. `why`: how many of the team's members cannot get it and for what; empty: it has none. */
const WaitingRow = z.object({
  ticket: z.string(),
  team: text,
  since: z.string(),
  why: z.partialRecord(AgentReason, number),
});

/** A decision in short. `trust` is null without an org id. `rule`: the one that decided. */
const DecisionRow = z.object({
  id: z.string(),
  ticket: z.string(),
  at: z.string(),
  company: text,
  org_id: z.nullable(OrgId),
  team: text,
  agent: text,
  state: RoutingDecision.shape.assignment.shape.state,
  rule: z.nullable(RoutingRule),
  fallback: RoutingOutcome.shape.fallback,
  cause: RoutingDecision.shape.cause,
  trust: z.nullable(TrustLevel),
});
export type DecisionRow = z.infer<typeof DecisionRow>;

/**
 * A customer with open tickets whose plan has ended or ends soon. `ends`: when, as the CRM has it; `days_left` is negative
 * after that. `tickets`: those that the caller may see, at most five; `open`: how many there are.
 */
const PlanRow = z.object({
  customer: z.string(),
  plan: text,
  ends: z.string(),
  days_left: number,
  tickets: z.array(z.string()),
  open: number,
});

/** How much of the CRM's budget one lane has: requests that it may send at once, and questions that wait. */
const LaneState = z.object({ lane: z.enum(['click', 'open', 'bulk']), left: number, waiting: number });

/**
 * `data` of GET /api/routing/today (docs/api.md#the-day). Instants are ISO in UTC. What the caller may not see as a ticket
 * is in the numbers, and in the lists only as `hidden`.
 */
export const Today = z.object({
  at: z.string(),
  /** Tickets that were decided for the first time on that day. */
  tickets: number,
  teams: z.array(TeamShare),
  trust: z.object({ confirmed: number, likely: number, claimed: number, none: number }),
  /** Tickets of the day whose webhook had not come, and when the last one of any came. */
  found_by_sweep: number,
  last_webhook_at: text,
  /** Oldest first. `undecided`: tickets that have come and are not routed yet. */
  waiting: z.object({ tickets: number, hidden: number, rows: z.array(WaitingRow) }),
  undecided: z.object({ tickets: number, since: text }),
  /** The last ones of all, newest first. `is_more`: there are older ones. */
  decisions: z.object({ hidden: number, is_more: z.boolean(), rows: z.array(DecisionRow) }),
  /** The first to end first. `customers`: how many there are; `unread`: the helpdesk did not answer for them. */
  plans: z.object({ customers: number, hidden: number, unread: z.boolean(), rows: z.array(PlanRow) }),
  helpdesk: z.object({ answers: z.boolean() }),
  /** `error`: why it is left alone for the moment. */
  crm: z.object({
    state: z.enum(['answers', 'failing', 'disabled', 'not_configured']),
    error: z.nullable(CrmErrorCode),
    lanes: z.array(LaneState),
  }),
  /** Full names of agents, by user, as far as they are known. */
  names: z.record(z.string(), z.string()),
});
export type Today = z.infer<typeof Today>;
