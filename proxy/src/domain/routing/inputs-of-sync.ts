import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';

/** A Sync, as far as routing is concerned. */
export interface SyncedCompany {
  /** The agent who vouches for it. */
  agent: string;
  orgId: OrgId;
  /** The customer that the ticket is, or would be, linked to, with segment and plan as they are then. */
  customer: { name: string; segment: string | null; shopPlan: string | null };
  status: LookupStatus;
  /** When the CRM was asked, as an ISO instant. */
  checkedAt: string;
}

/**
 * Whether a Sync may move a ticket (docs/decisions.md 30): our decision put it into the team in which it is, and nobody
 * has closed it. A team that a person chose stays, and a ticket that we never routed is left where it is.
 */
export function mayMove(
  latest: Pick<RoutingDecision, 'state' | 'outcome'> | null,
  ticket: { group: string | null; closed: boolean },
): boolean {
  if (latest === null || latest.state !== 'applied' || ticket.closed) return false;
  return latest.outcome.team !== null && latest.outcome.team === ticket.group;
}

/**
 * Whether a decision came about by a Sync: it moved the ticket, or it confirmed a claim because the agent vouched for
 * the company. The record of its undoing is none of these.
 */
export function restsOnSync(
  { cause, sync, inputs }: RoutingDecision,
  { id, agent, orgId }: { id: string; agent: string; orgId: OrgId },
): boolean {
  if (cause === 'sync') return sync?.id === id;
  if (cause !== 'confirmed' || inputs.org_id?.value !== orgId) return false;
  const evidence = inputs.org_id.trust?.evidence ?? [];
  return evidence.some(({ code, value }) => code === 'linked_by_agent' && value === agent);
}

/** Whether undoing a Sync sends the ticket back to another team, or only opens the claim again that it had confirmed. */
export function undoesMove({ cause, inputs, outcome }: RoutingDecision): boolean {
  return cause === 'sync_undone' && outcome.team !== null && inputs.agent_group?.name !== outcome.team;
}

/** What the rules go by once a ticket is linked by a Sync: its customer, for whom an agent vouches. */
export function inputsOfSync(
  { agent, orgId, customer, status, checkedAt }: SyncedCompany,
  ticket: Pick<RoutingInputs, 'claims' | 'ticket_segment' | 'ticket_status' | 'ticket_creation'> & {
    group: string;
    /** The field that holds the customer's org id, as responses name it; empty if that is unknown. */
    orgIdField: string;
  },
): RoutingInputs {
  const trust: LookupTrust = { level: 'confirmed', evidence: [{ code: 'linked_by_agent', value: agent }] };
  const { group, orgIdField, ...seen } = ticket;
  return {
    ...seen,
    org_id: { value: orgId, source: 'customer', field: orgIdField, trust },
    customer: {
      name: customer.name,
      org_id: orgId,
      segment: customer.segment,
      shop_plan: customer.shopPlan,
      checked_at: checkedAt,
      source: 'hd_customer',
    },
    looked_up: null,
    agent_group: { name: group, set_by: 'deskside' },
    crm: { status, error: null, checked_at: checkedAt, stale: false },
    findings: [],
    meta_failures: [],
  };
}
