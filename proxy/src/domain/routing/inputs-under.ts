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
  // What is only proposed goes to one team, whatever company it names.
  if (!isClaim(inputs) || isKept || inputs.claims === mode || mode === 'propose') return inputs;
  return mode === 'route' ? routed(inputs, link?.done === true) : accepted(inputs);
}

/** Under `route` the company that the claim names counts; under `accept` it was the customer, unless that was another's. */
function routed(inputs: RoutingInputs, isLinked: boolean): RoutingInputs | null {
  const { customer, looked_up } = inputs;
  if (looked_up) return inputs;
  if (customer === null || !(isLinked || customer.org_id === inputs.org_id?.value)) return null;
  const { segment, shop_plan, checked_at } = customer;
  return { ...inputs, looked_up: { segment, shop_plan, checked_at, source: 'hd_customer' } };
}

/** Under `accept` a ticket without customer is linked if the CRM has the company; one that has a customer keeps it. */
function accepted(inputs: RoutingInputs): RoutingInputs | null {
  const { customer, looked_up, crm } = inputs;
  if (!looked_up) return null;
  if (customer === null) {
    const isFound = crm?.status === 'matched' || crm?.status === 'cached';
    const { segment, shop_plan, checked_at } = looked_up;
    const orgId = inputs.org_id?.value ?? null;
    const linked = { name: '', org_id: orgId, segment, shop_plan, checked_at, source: 'hd_customer' } as const;
    return { ...inputs, looked_up: null, customer: isFound ? linked : null };
  }
  const isOther = customer.org_id === null ? customer.segment === null : customer.org_id !== inputs.org_id?.value;
  return isOther ? inputs : { ...inputs, looked_up: null };
}
