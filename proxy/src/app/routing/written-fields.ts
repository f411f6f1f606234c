import type { RoutingDecision } from '@deskside/shared/routing';
import { isClaim } from '#domain/routing/open-claim.ts';
import { shownReason } from '#domain/routing/shown-reason.ts';
import type { PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';

/** For a kept group only the reason is written; for a team that does not exist, everything but the group. */
export function writtenFields(
  { outcome, inputs, decided_at }: RoutingDecision,
  assignment: RoutingDecision['assignment']['state'],
  ticket: PipelineTicket,
  fields: RoutingFields | null,
): RoutingFields {
  const { team } = outcome;
  const reason = shownReason(outcome, assignment);
  if (fields === null) return { reason };
  const found = stillEmpty(ticket, fields);
  if (team === null && inputs.agent_group !== null && outcome.fallback !== 'team_missing') return { ...found, reason };
  const claimed = isClaim(inputs);
  if (claimed && inputs.claims === 'route') {
    const { status, error } = outcome;
    return { ...found, ...(team !== null && { agentGroup: team }), status, error, reason };
  }
  return {
    ...found,
    ...(team !== null && { agentGroup: team }),
    segment: outcome.segment,
    shopplan: outcome.shopplan,
    servicePlan: outcome.service_plan ?? '',
    status: outcome.status,
    error: outcome.error,
    reason,
    ...(!claimed && { checkedAt: Date.parse(decided_at) }),
  };
}

/**
 * The service's own fields as they must stay while only the sender vouches for the company: anything that senders
 * filled in themselves would read as ours (docs/decisions.md 10). Under rules that write segment and plan, those are
 * overwritten anyway.
 */
export function blanksOf({ inputs }: RoutingDecision): RoutingFields {
  const times = { checkedAt: null, crmLastCheckedAt: null, crmNotFoundAt: null, responsible: '' };
  return inputs.claims === 'route' ? { ...times, segment: '', shopplan: '', servicePlan: '' } : times;
}

/** What intake found fills what is empty; what somebody has typed since stays. */
function stillEmpty({ file, ...ticket }: PipelineTicket, { orgId, platformDomain, ...rest }: RoutingFields) {
  const hasOrgId = file.ticket.orgIdFields.some(({ kind, value }) => kind === 'current' && value);
  return {
    ...rest,
    ...(orgId !== undefined && !hasOrgId && { orgId }),
    ...(platformDomain !== undefined && ticket.platformDomain === null && { platformDomain }),
  };
}

/**
 * What to write once a claim that had been confirmed is one again: `written` is what the confirmation wrote, `instead`
 * what belongs in its place where the ticket still shows it. `isOpen`: whether no person answers for what the service's
 * other fields hold.
 */
export function reopenedFields(
  claim: RoutingDecision,
  confirmed: RoutingDecision,
  ticket: PipelineTicket,
  isOpen: boolean,
): { written: RoutingFields; instead: RoutingFields } {
  const { segment, shopplan, servicePlan, status, error, reason } = writtenFields(
    confirmed,
    confirmed.assignment.state,
    ticket,
    {},
  );
  const then = writtenFields(claim, claim.assignment.state, ticket, {});
  return {
    written: { segment, shopplan, servicePlan, status, error, reason },
    instead: {
      ...{ segment: confirmed.inputs.ticket_segment ?? '', shopplan: '', servicePlan: '' },
      ...{ status: then.status, error: then.error, reason: then.reason },
      ...{ checkedAt: null, crmLastCheckedAt: null, crmNotFoundAt: null },
      ...(isOpen && { responsible: '' }),
    },
  };
}
