import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import { hasGiven, isClaim, isHeld } from '#trust/companies.ts';
import { otherShop, shownReason } from './decide.ts';

/** What a decision writes to its ticket: for a kept group the reason alone, for a team that does not exist all but the group. */
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
 * ours (docs/decisions.md 9). What the desk filled in stays. Of an accepted claim later decisions find values of ours there.
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

/** What a ticket shows of a company because of our decisions, and what to write in its place; cleared if absent there. */
export interface WrittenOf {
  values: RoutingFields;
  instead: RoutingFields;
}

/**
 * What our decisions wrote to a ticket about a company (docs/data.md#hd-ticket), according to our own records. The team
 * stays, so the reason goes on naming it, but no longer says why.
 *
 * @param decided every decision on the ticket, newest first
 */
export function writtenOf(orgId: OrgId, decided: readonly RoutingDecision[]): WrittenOf {
  // Intake writes an org id only to a ticket without one, and a domain only beside the org id that it belongs to.
  const isAbout = ({ org_id, findings }: RoutingDecision['inputs']) =>
    findings.some(({ value }) => value === orgId) ||
    (org_id?.value === orgId && otherShop({ org_id, findings }) === null);
  const findings = decided.flatMap(({ inputs }) => (isAbout(inputs) ? inputs.findings : []));
  const domain = findings.find(({ kind }) => kind === 'platform_domain');
  const found = {
    ...(decided.some((decision) => hasGiven(decision, orgId)) && { orgId, profileOrgId: orgId, olderOrgId: orgId }),
    ...(domain && { platformDomain: domain.value }),
  };
  const [latest] = decided;
  if (latest?.inputs.org_id?.value !== orgId) return { values: found, instead: {} };
  const { inputs, outcome } = latest;
  const times = { crmLastCheckedAt: null, crmNotFoundAt: null };
  // Of a company that is held nothing but the team was written.
  if (isHeld(inputs, inputs.claims)) return { values: found, instead: times };
  const { segment, shopplan, team } = outcome;
  const reason = shownReason(outcome, latest.assignment.state);
  return {
    values: { ...found, segment, shopplan, servicePlan: outcome.service_plan ?? '', reason },
    instead: { ...times, reason: team === null ? reason : takenBackReason(team) },
  };
}

/** The reason of a ticket that stays with its team although the company by which it went there is taken back. */
export function takenBackReason(team: string): string {
  return `Auto-routed: Company taken back. Target team=${team}.`;
}

/** What a decision was to write besides the routing itself, by its record: after a crash, nothing else knows it. */
export function fieldsOf({ inputs }: RoutingDecision): RoutingFields {
  return { ...intakeFields(inputs), ...(!isHeld(inputs, inputs.claims) && crmFields(inputs)) };
}

/** When the CRM was asked; that it had nothing is known where it has just said so. */
function crmFields({ crm }: RoutingInputs): RoutingFields {
  if (crm === null || crm.status === 'error' || crm.checked_at === null) return {};
  const crmLastCheckedAt = Date.parse(crm.checked_at);
  return { crmLastCheckedAt, ...(crm.status === 'not_found' && { crmNotFoundAt: crmLastCheckedAt }) };
}

function intakeFields(inputs: RoutingInputs): RoutingFields {
  if (otherShop(inputs) !== null) return {};
  const { org_id, findings } = inputs;
  const domain = findings.find(({ kind }) => kind === 'platform_domain');
  return {
    ...(org_id && findings.some(({ value }) => value === org_id.value) && { orgId: org_id.value }),
    ...(domain && { platformDomain: domain.value }),
  };
}
