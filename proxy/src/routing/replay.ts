import type { ClaimsMode, RoutingDecision, RoutingInputs, RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';
import { isClaim } from '#trust/companies.ts';
import { decideRouting, type RoutingConfig } from './decide.ts';

/**
 * What another configuration would have made of a ticket. `team` null: we would set no group, because one was kept or
 * the team did not exist. `would` null: the record does not tell, since it was decided on a claim under another mode.
 */
export interface Replayed {
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
 * @param onProgress how many decisions have been processed
 */
export async function* replayDecisions(
  db: StateDb,
  config: RoutingConfig,
  options: { tickets: readonly string[]; since: number | null },
  onProgress: (looked: number) => void,
): AsyncGenerator<Replayed> {
  let looked = 0;
  for await (const decision of chosen(db, options)) {
    looked += 1;
    onProgress(looked);
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

/** The same for one. */
function replayDecision(decision: RoutingDecision, config: RoutingConfig): Replayed {
  const { ticket, decided_at, outcome } = decision;
  const inputs = inputsUnder(config.claims, decision);
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
 * A decision's inputs as they would have been gathered under another mode of claims (docs/routing.md#claims); null if
 * its record does not tell. Whatever rests on no claim is the same in every mode.
 */
function inputsUnder(
  mode: ClaimsMode,
  { inputs, link }: Pick<RoutingDecision, 'inputs' | 'link'>,
): RoutingInputs | null {
  const isKept = inputs.agent_group?.set_by === 'person';
  if (!isClaim(inputs) || isKept || inputs.claims === mode) return inputs;
  return mode === 'hold' ? held(inputs, link?.done === true) : accepted(inputs);
}

/** Held, the company that the claim names decides; accepted, it was the customer, unless that was another's. */
function held(inputs: RoutingInputs, isLinked: boolean): RoutingInputs | null {
  const { customer, looked_up } = inputs;
  if (looked_up) return inputs;
  if (customer === null) return null;
  if (!isLinked && customer.org_id !== inputs.org_id?.value) return inputs;
  const { segment, shop_plan, checked_at } = customer;
  return { ...inputs, looked_up: { segment, shop_plan, checked_at, source: 'hd_customer' } };
}

/** Accepted, a ticket without customer is linked if the CRM has the company; one that has a customer keeps it. */
function accepted(inputs: RoutingInputs): RoutingInputs | null {
  const { customer, looked_up, crm } = inputs;
  if (!looked_up) return customer === null ? null : inputs;
  if (customer !== null) return customer.org_id === null ? inputs : { ...inputs, looked_up: null };
  const isFound = crm?.status === 'matched' || crm?.status === 'cached';
  const { segment, shop_plan, checked_at } = looked_up;
  const orgId = inputs.org_id?.value ?? null;
  const linked = { name: '', org_id: orgId, segment, shop_plan, checked_at, source: 'hd_customer' } as const;
  return { ...inputs, looked_up: null, customer: isFound ? linked : null };
}
