import type { RoutingDecision } from '@deskside/shared/routing';
import type { Lookup } from '#crm/lookup.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import { isClaim, isHeld } from './claims.ts';
import { shownReason } from './decide-routing.ts';

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
  if (isHeld(inputs, inputs.claims)) {
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
    checkedAt: Date.parse(decided_at),
  };
}

const firstCauses: readonly RoutingDecision['cause'][] = ['webhook', 'sweep', 'before_insert'];

/**
 * The service's own fields where a decision has no value for them: anything that senders filled in themselves would read as
 * ours (docs/decisions.md 10). What the desk filled in stays. Of an accepted claim later decisions find values of ours there.
 */
export async function blanksOf(
  { inputs, cause }: RoutingDecision,
  fields: RoutingFields | null,
  isLastFromDesk: () => Promise<boolean>,
): Promise<RoutingFields> {
  const isFirst = fields !== null && firstCauses.includes(cause);
  if (!isHeld(inputs, inputs.claims) && !(isClaim(inputs) && isFirst)) return {};
  const times = { checkedAt: null, crmLastCheckedAt: null, crmNotFoundAt: null };
  return (await isLastFromDesk()) ? times : { ...times, segment: '', shopplan: '', servicePlan: '', responsible: '' };
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
