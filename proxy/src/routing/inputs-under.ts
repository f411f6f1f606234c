import type { ClaimsMode, RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import { isClaim } from './claims.ts';

/**
 * A decision's inputs as they would have been gathered under another mode of claims (docs/routing.md#claims); null if
 * its record does not tell. Whatever rests on no claim is the same in every mode.
 */
export function inputsUnder(
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
