import type { RoutingDecision } from '@deskside/shared/routing';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { isClaim } from '#domain/routing/claims.ts';
import { shownReason } from '#domain/routing/decide-routing.ts';
import type { FilledField, PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';

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
    ...((!claimed || inputs.claims === 'accept') && { checkedAt: Date.parse(decided_at) }),
  };
}

const firstCauses: readonly RoutingDecision['cause'][] = ['webhook', 'sweep', 'before_insert'];

/**
 * The service's own fields where a decision on a claim has no value for them: anything that senders filled in themselves
 * would read as ours (docs/decisions.md 10); what the desk answers for (`ofDesk`) stays. Where claims are accepted, later
 * decisions find values of ours there.
 */
export function blanksOf(
  { inputs, cause }: RoutingDecision,
  fields: RoutingFields | null,
  ofDesk: ReadonlySet<FilledField>,
): RoutingFields {
  if (inputs.claims === 'accept' && (fields === null || !firstCauses.includes(cause))) return {};
  const texts = (['segment', 'shopplan', 'servicePlan', 'responsible'] as const).filter((field) => !ofDesk.has(field));
  const times = { checkedAt: null, crmLastCheckedAt: null, crmNotFoundAt: null };
  return { ...times, ...Object.fromEntries(texts.map((field) => [field, ''] as const)) };
}

/** What intake found fills what is empty; what somebody has typed since stays. */
function stillEmpty({ file, ...ticket }: PipelineTicket, { orgId, platformDomain, ...rest }: RoutingFields) {
  const { orgIdFields } = file.ticket;
  const hasOrgId = orgIdFields.some(({ kind, value }) => kind === 'current' && value);
  const isEmpty = (wanted: 'profile' | 'older') => orgIdFields.some(({ kind, value }) => kind === wanted && !value);
  return {
    ...rest,
    ...(orgId !== undefined &&
      !hasOrgId && {
        orgId,
        ...(isEmpty('profile') && { profileOrgId: orgId }),
        ...(isEmpty('older') && { olderOrgId: orgId }),
      }),
    ...(platformDomain !== undefined && ticket.platformDomain === null && { platformDomain }),
  };
}

/** When the CRM was asked, and that it had nothing, for the ticket's own fields (docs/data.md#hd-ticket). */
export function checkFields(looked: Lookup | null): RoutingFields {
  if (looked === null || looked.status === 'error' || looked.checkedAt === null) return {};
  return {
    crmLastCheckedAt: looked.checkedAt,
    crmNotFoundAt: looked.outcome === 'not_found' ? looked.checkedAt : null,
  };
}
