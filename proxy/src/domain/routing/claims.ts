import type { ClaimsMode, RoutingDecision, RoutingInputs } from '@deskside/shared/routing';

/** Whether only the sender vouches for the org id that a decision rests on. */
export function isClaim({ org_id }: Pick<RoutingInputs, 'org_id'>): boolean {
  return org_id !== null && (org_id.trust?.level ?? 'claimed') === 'claimed';
}

/**
 * Whether a decision is judged again until someone vouches for its claim (docs/decisions.md 10): it was made on a
 * claim, by rules under which claims route. A later change of rules does not affect it.
 */
export function isOpenClaim({ inputs }: Pick<RoutingDecision, 'inputs'>): boolean {
  return inputs.claims === 'route' && isClaim(inputs);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const firstLooks = [minute, 10 * minute, hour];
const openForMs = 7 * day;

/**
 * When a claim is judged again on schedule: a minute, ten minutes and an hour after the first decision, then daily for
 * a week; null afterwards. All in epoch milliseconds.
 */
export function claimDueAt(firstDecidedAt: number, now: number): number | null {
  const age = now - firstDecidedAt;
  const next = firstLooks.find((look) => look > age) ?? (Math.floor(age / day) + 1) * day;
  return next > openForMs ? null : firstDecidedAt + next;
}

/**
 * A decision's inputs as they would have been gathered under another mode of claims (docs/routing.md#claims); null if
 * its record does not tell, as older ones do not. Whatever rests on no claim is the same in every mode.
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
    const linked = { name: '', segment, shop_plan, checked_at };
    return { ...inputs, looked_up: null, customer: isFound ? linked : null };
  }
  if (customer.org_id === undefined) return null;
  const isOther = customer.org_id === null ? customer.segment === null : customer.org_id !== inputs.org_id?.value;
  return isOther ? inputs : { ...inputs, looked_up: null };
}
