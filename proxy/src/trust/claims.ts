import type { OrgId } from '@deskside/shared/orgid';
import type { ClaimsMode, RoutingDecision, RoutingInputs } from '@deskside/shared/routing';

/** An org id with who vouches for it. */
interface Vouched {
  org_id: Pick<NonNullable<RoutingInputs['org_id']>, 'trust'> | null;
}

/** Whether only the sender vouches for the org id that a decision rests on. */
export function isClaim({ org_id }: Vouched): boolean {
  return org_id !== null && (org_id.trust?.level ?? 'claimed') === 'claimed';
}

/**
 * Whether the company decides the team and nothing else of it goes on the ticket (docs/decisions.md 9 and 11): a claim, where
 * claims are held; a claim on a ticket that somebody else reads; and where the ticket's customer was made by hand, has not
 * become the company, and does not decide itself.
 */
export function isHeld(
  { org_id, adoption, looked_up }: Vouched & Partial<Pick<RoutingInputs, 'adoption' | 'looked_up'>>,
  mode: ClaimsMode,
): boolean {
  if (adoption?.done === false && looked_up !== null) return true;
  if (!isClaim({ org_id })) return false;
  const isReadByOther = org_id?.trust?.evidence.some(
    ({ code }) => code === 'contact_of_other' || code === 'made_by_other',
  );
  return mode === 'hold' || isReadByOther === true;
}

/**
 * Whether a decision was made on a claim that was held: it is judged again once a Sync, the CRM or a look at the profile
 * brings evidence (docs/decisions.md 9). A later change of rules does not affect it.
 */
export function isOpenClaim({ inputs }: Pick<RoutingDecision, 'inputs'>): boolean {
  return openClaimOf(inputs) !== null;
}

/** The org id of such a claim. */
export function openClaimOf(inputs: RoutingInputs): OrgId | null {
  return isClaim(inputs) && isHeld(inputs, inputs.claims) ? (inputs.org_id?.value ?? null) : null;
}

/** Whether a decision goes by an agent's Sync with this company. */
export function restsOnSync({ cause, inputs }: Pick<RoutingDecision, 'cause' | 'inputs'>, orgId: OrgId): boolean {
  const { org_id, customer } = inputs;
  // The ticket may name another company that is vouched for, and is decided by its customer all the same.
  if (cause === 'sync' && customer?.org_id === orgId) return true;
  const evidence = org_id?.trust?.evidence ?? [];
  return org_id?.value === orgId && evidence.some(({ code }) => code === 'linked_by_agent');
}

/**
 * Whether a decision gave the ticket this org id: intake found it, or the ticket's customer has it. One that was on the
 * ticket is not ours.
 */
export function hasGiven({ inputs }: Pick<RoutingDecision, 'inputs'>, orgId: OrgId): boolean {
  const { org_id, findings } = inputs;
  if (findings.some(({ value }) => value === orgId)) return true;
  return org_id?.value === orgId && org_id.source !== 'ticket' && !isClaim(inputs);
}
