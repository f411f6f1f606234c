import type { ClaimsMode, RoutingDecision, RoutingInputs, RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import type { RoutingConfig } from '#rules.ts';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';
import { isClaim } from '#trust/companies.ts';
import { decideRouting } from './decide.ts';

/**
 * What another configuration would have made of a ticket. `team` null: we would set no group, because one was kept or
 * the team did not exist. `would` null: the record does not tell, since it was decided on a claim under another mode.
 */
export interface DecisionReplay {
  ticket: string;
  decidedAt: string;
  was: { team: string | null; rule: RoutingRule };
  would: { team: string | null; rule: RoutingRule } | null;
  moves: boolean;
}

/**
 * Decides past tickets again under another configuration, from the record of their latest decision. Writes nothing,
 * asks neither helpdesk nor CRM. A team that only the new configuration names is assumed to exist.
 *
 * @param options.tickets only these; all if empty
 * @param options.since only decisions made since (epoch milliseconds)
 */
export async function* replayDecisions(
  db: StateDb,
  config: RoutingConfig,
  options: { tickets: readonly string[]; since: number | null },
): AsyncGenerator<DecisionReplay> {
  for await (const decision of chosen(db, options)) {
    if (options.since !== null && Date.parse(decision.decided_at) < options.since) continue;
    yield replayDecision(decision, config);
  }
}

/** A decision is dated before it is recorded, by the clock of its process: so far they may be out of order. */
const disorderMs = 10 * 60_000;

async function* chosen(
  db: StateDb,
  { tickets, since }: { tickets: readonly string[]; since: number | null },
): AsyncGenerator<RoutingDecision> {
  for (const ticket of tickets) {
    const decision = await decisions.latestNamed(db, ticket);
    if (decision !== null) yield decision;
  }
  if (tickets.length > 0) return;
  yield* decisions.latestOfAll(db, since === null ? null : await decisions.lastBefore(db, since - disorderMs));
}

/** Decides one ticket again, by the record of its latest decision. */
function replayDecision(decision: RoutingDecision, config: RoutingConfig): DecisionReplay {
  const { ticket, decided_at, outcome } = decision;
  const inputs = inputsUnder(config.claims, decision.inputs);
  const would = inputs && decideRouting(inputs, config);
  return {
    ticket,
    decidedAt: decided_at,
    was: { team: outcome.team, rule: ruleOf(outcome) },
    would: would && { team: would.team, rule: ruleOf(would) },
    moves: would !== null && outcome.team !== would.team,
  };
}

function ruleOf({ rules }: RoutingOutcome): RoutingRule {
  return rules.find(({ hit }) => hit)?.rule ?? 'sme';
}

/**
 * A decision's inputs as they would have been gathered under another mode of claims (docs/routing.md#claims); null if its
 * record does not tell. Whatever rests on no claim is the same in every mode, and a claim's company decides the team in
 * both; but accepted, it does so by the ticket's link to it, for which the CRM has to have it.
 */
function inputsUnder(mode: ClaimsMode, inputs: RoutingInputs): RoutingInputs | null {
  const isKept = inputs.agent_group !== null && inputs.agent_group.set_by !== 'deskside';
  if (!isClaim(inputs) || isKept || inputs.claims === mode) return inputs;
  const { customer, looked_up, crm } = inputs;
  if (customer !== null) return inputs;
  if (!looked_up) return null;
  const isFound = crm?.status === 'matched' || crm?.status === 'cached';
  return mode === 'hold' || isFound ? inputs : { ...inputs, looked_up: null };
}
