import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { CompanyWrite } from '#customers/ticket-writes.ts';
import type { CompanyData, PlainFields, TeamReason } from '#helpdesk/fields.ts';
import type { PipelineTicket, Ticket } from '#helpdesk/ticket-file.ts';
import { hasGiven, isByCustomerOf, isClaim, isHeld } from '#trust/companies.ts';
import { otherShop, shownReason } from './decide.ts';

/** What a decision writes to its ticket: what tells nothing of a company, and what does. */
export type DecisionFields = Required<Pick<CompanyWrite, 'plain' | 'data'>>;

/**
 * What a decision writes to its ticket: for a kept group the reason alone, for a team that does not exist all but the group.
 *
 * @param found what else it writes; null: only the reason, if the rest has been written before
 */
export function writtenFields(
  decision: RoutingDecision,
  assignment: RoutingDecision['assignment']['state'],
  ticket: PipelineTicket,
  found: DecisionFields | null,
): DecisionFields {
  const { outcome, inputs, decided_at } = decision;
  const { team, status, error } = outcome;
  const told = shownReason(outcome, assignment);
  const isKept = team === null && inputs.agent_group !== null && outcome.fallback !== 'team_missing';
  const isHeldBack = isHeld(inputs, inputs.claims);
  // Such a reason names no company.
  const isPlain = isKept || isHeldBack || inputs.org_id === null;
  const reason: DecisionFields = isPlain
    ? { plain: { reason: told as TeamReason }, data: {} }
    : { plain: {}, data: { reason: told } };
  if (found === null) return reason;
  const plain = { ...reason.plain, ...stillEmpty(ticket, found.plain) };
  const data = { ...reason.data, ...stillEmpty(ticket, found.data) };
  if (isKept) return { plain, data };
  const routed = { ...plain, ...(team !== null && { agentGroup: team }), status, error };
  if (isHeldBack) return { plain: routed, data };
  const { segment, shopplan, service_plan } = outcome;
  return {
    plain: { ...routed, checkedAt: Date.parse(decided_at) },
    data: { ...data, segment, shopplan, servicePlan: service_plan ?? '' },
  };
}

/** What is written in place of a decision's reason where that may not be told. */
export function reasonOfTeam({ outcome: { team } }: RoutingDecision): PlainFields {
  return { reason: `Auto-routed: unconfirmed OrgID. Target team=${team}.` as TeamReason };
}

const firstCauses: readonly RoutingDecision['cause'][] = ['webhook', 'sweep', 'before_insert'];

/**
 * The service's own fields where a decision has no value for them: anything that senders filled in themselves would read as
 * ours (decision 9: claims). What the desk filled in stays, and an account owner's address of ours where that may stand there.
 * Of an accepted claim later decisions find values of ours there.
 */
export async function blanksOf(
  { inputs, cause }: RoutingDecision,
  { responsible }: Ticket,
  isLastFromDesk: () => Promise<boolean>,
  owners: () => Promise<readonly string[]>,
): Promise<PlainFields> {
  const held = isHeld(inputs, inputs.claims);
  if (!held && !(isClaim(inputs) && firstCauses.includes(cause))) return {};
  const times = { checkedAt: null, crmLastCheckedAt: null, crmNotFoundAt: null };
  if (await isLastFromDesk()) return times;
  const isOurs = (await owners()).some((email) => email === responsible);
  return { ...times, segment: '', shopplan: '', servicePlan: '', ...(!isOurs && { responsible: '' }) };
}

/** What intake found fills what is empty; what somebody has typed since stays. */
function stillEmpty<T extends PlainFields | CompanyData>(
  { file, ...ticket }: PipelineTicket,
  { orgId, platformDomain, ...rest }: T,
) {
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

/**
 * What our decisions wrote to a ticket about a company (docs/data.md#hd-ticket), according to our own records, and what to
 * write in its place. The team stays, so the reason goes on naming it, but no longer says why.
 *
 * @param decided every decision on the ticket, newest first
 */
export function writtenOf(
  orgId: OrgId,
  decided: readonly RoutingDecision[],
): Required<Pick<CompanyWrite, 'over' | 'plain'>> {
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
  if (latest === undefined) return { over: found, plain: {} };
  const { inputs, outcome } = latest;
  const isNamed = inputs.org_id?.value === orgId;
  if (!isNamed && !isByCustomerOf(inputs, orgId)) return { over: found, plain: {} };
  const times = isNamed ? { crmLastCheckedAt: null, crmNotFoundAt: null } : {};
  // Of a company that is held nothing but the team was written.
  if (isHeld(inputs, inputs.claims)) return { over: found, plain: times };
  const { segment, shopplan, team } = outcome;
  const reason = shownReason(outcome, latest.assignment.state);
  return {
    over: { ...found, segment, shopplan, servicePlan: outcome.service_plan ?? '', ...(team !== null && { reason }) },
    plain: { ...times, ...(team !== null && { reason: takenBackReason(team) }) },
  };
}

/** The reason of a ticket that stays with its team although the company by which it went there is taken back. */
export function takenBackReason(team: string): TeamReason {
  return `Auto-routed: Company taken back. Target team=${team}.` as TeamReason;
}

/** What a decision writes besides the routing itself. */
export function fieldsOf({ inputs }: RoutingDecision): DecisionFields {
  const isShown = inputs.org_id !== null && !isHeld(inputs, inputs.claims);
  const plain = intakeFields(inputs);
  if (!isShown) return { plain, data: {} };
  return { plain, data: { ...(plain.orgId === undefined && { orgId: inputs.org_id?.value }), ...crmFields(inputs) } };
}

/** When the CRM was asked, and that it had nothing. */
function crmFields({ crm }: RoutingInputs): CompanyData {
  if (crm === null || crm.status === 'error' || crm.checked_at === null) return {};
  const crmLastCheckedAt = Date.parse(crm.checked_at);
  return { crmLastCheckedAt, crmNotFoundAt: crm.status === 'not_found' ? crmLastCheckedAt : null };
}

/** What intake read in the sender's own words, unless it is about another shop. */
function intakeFields(inputs: RoutingInputs): PlainFields {
  if (otherShop(inputs) !== null) return {};
  const { org_id, findings } = inputs;
  const domain = findings.find(({ kind }) => kind === 'platform_domain');
  return {
    ...(org_id && findings.some(({ value }) => value === org_id.value) && { orgId: org_id.value }),
    ...(domain && { platformDomain: domain.value }),
  };
}
