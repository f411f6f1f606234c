import type { OrgId } from '@deskside/shared/orgid';
import { decideRouting, type RoutingConfig } from '../domain/routing.ts';
import { judgeTrust } from '../domain/trust.ts';
import type { Clock } from '../ports/clock.ts';
import type { Decisions } from '../ports/decisions.ts';
import type { RoutingFields } from '../ports/helpdesk-tickets.ts';
import type { SearchLocally } from './search-locally.ts';

/** A ticket at the moment before it is inserted: it has no name, no contact and mostly no customer yet (facts/live.md 4). */
export interface UnsavedTicket {
  /** The helpdesk's uuid of the ticket, which the sender cannot choose. */
  key: string;
  /** The user whose session creates it. */
  owner: string | null;
  orgId: OrgId | null;
  agentGroup: string | null;
}

/**
 * Decides the team of a ticket before it is inserted, from what this service knows by itself; null where that proves
 * nothing, or the ticket has a group: the pipeline decides then (design.md, decision 24). What is answered is kept under
 * the ticket's key, so that the group is recognised afterwards. Asks neither the helpdesk nor the CRM.
 */
export type DecideBeforeInsert = (ticket: UnsavedTicket) => Promise<RoutingFields | null>;

export function createDecideBeforeInsert(deps: {
  /** Null where no webhook of the CRM is configured. */
  searchLocally: SearchLocally | null;
  decisions: Pick<Decisions, 'keepPreliminary'>;
  routing: RoutingConfig;
  clock: Clock;
}): DecideBeforeInsert {
  return async ({ key, owner, orgId, agentGroup }) => {
    if (agentGroup !== null || orgId === null || deps.searchLocally === null) return null;
    const known = await deps.searchLocally(orgId);
    if (known === null) return null;
    const { company, checkedAt } = known;
    const trust = judgeTrust({
      origin: { owner: owner ?? '', raisedBy: owner, viaCustomerPortal: true },
      candidate: { orgId, source: 'ticket', field: 'custom_orgid' },
      companyEmails: company.emails,
      ties: null,
      ownerIsDesk: false,
    });
    if (trust.level === 'claimed' && deps.routing.claims === 'propose') return null;
    const checked_at = new Date(checkedAt).toISOString();
    const { customer_segment: segment, current_shopplan: shop_plan, company_name } = company.fields;
    const outcome = decideRouting(
      {
        org_id: { value: orgId, source: 'ticket', field: 'custom_orgid', trust },
        customer: { name: company_name ?? orgId, segment, shop_plan, checked_at },
        ticket_segment: null,
        ticket_status: '',
        agent_group: null,
        crm: { status: 'cached', error: null, checked_at, stale: false },
        findings: [],
        meta_failures: [],
      },
      deps.routing,
    );
    if (outcome.team === null) return null;
    await deps.decisions.keepPreliminary({ key, team: outcome.team, reason: outcome.reason, at: deps.clock() });
    return {
      agentGroup: outcome.team,
      segment: outcome.segment,
      shopplan: outcome.shopplan,
      servicePlan: outcome.service_plan ?? '',
      status: outcome.status,
      reason: outcome.reason,
    };
  };
}
