import { parseOrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { Context } from '#app/context.ts';
import { hasCrm, hasCrmOn } from '#app/crm/crm-layers.ts';
import { type Lookup, searchCompany } from '#app/crm/lookup-company.ts';
import { type ConsiderNeeds, considerAdoption } from '#app/customer/adopt/consider-adoption.ts';
import { type EnrichParts, enrichRecords } from '#app/customer/enrich-records.ts';
import type { Enriched } from '#app/customer/enrichment-runs.ts';
import { type NameNeeds, nameCandidates } from '#app/intake/intake-ticket.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { type JudgeNeeds, judgeMatch } from '#app/trust/judge-match.ts';
import { customerNameFor } from '#domain/customer/customer-name.ts';
import { type Candidate, orderCandidates } from '#domain/intake/org-id-candidates.ts';
import { leaderOf } from '#domain/trust/lead.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { Customer } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { FirstState } from '#store/decisions/ticket-history.ts';
import { checkFields } from './written-fields.ts';

export type GatherNeeds = NameNeeds &
  JudgeNeeds &
  ConsiderNeeds &
  EnrichParts &
  Pick<Context, 'crm' | 'crmEnabled' | 'routing'> & {
    helpdesk: Pick<HelpdeskTickets, 'readPipelineTicket' | 'findCustomerOf'>;
  };

/** What is known about a ticket after intake, enrichment and linking. */
export interface Gathered {
  /** As it is now, after everything else. */
  ticket: PipelineTicket;
  inputs: RoutingInputs;
  link: RoutingDecision['link'];
  /** What to write to the ticket besides the routing itself. */
  fields: RoutingFields;
}

/** One candidate with what the CRM says about it and who vouches for it. `looked` null: no CRM is asked. */
interface Weighed {
  candidate: Candidate;
  looked: Lookup | null;
  trust: LookupTrust;
  isRejected: boolean;
}

/** Failures of enrichment that do not keep a ticket from being routed by what is known; others are retried. */
const passing = new Set(['helpdesk_bad_answer', 'changed_since']);
const survivable = new Set([...passing, 'identity_conflict', 'customer_not_found']);

/**
 * Finds a ticket's org id, its company and its customer, writes what enrichment writes, and links the ticket if
 * permitted (ARCHITECTURE.md#a-new-ticket: intake, enrich, link). Repeatable. Throws HelpdeskError and AppError if the
 * helpdesk fails; whatever the CRM or a shop's address does is among the inputs.
 *
 * @param firstState what the ticket was like when first seen
 * @param insists throws the AppError of an enrichment that may do better when the ticket is tried again
 */
export async function gatherRoutingInputs(
  ctx: GatherNeeds,
  came: PipelineTicket,
  firstState: FirstState,
  signal: AbortSignal,
  insists = false,
): Promise<Gathered> {
  const { claims } = ctx.routing;
  const { candidates, found, fromIntake: named, domainOf, rejected } = await nameCandidates(ctx, came, signal);
  const weighed = await weigh(ctx, came, candidates, firstState, signal);
  const leader = leaderOf(weighed) ?? null;
  const isMadeByHand = came.file.customer !== null && parseOrgId(came.file.customer.orgIdField.value) === null;
  const adoption =
    leader?.looked && isMadeByHand
      ? await considerAdoption(ctx, { ...leader, looked: leader.looked, file: came.file }, signal)
      : null;
  const seen = adoption?.done ? await ctx.helpdesk.readPipelineTicket(came.file.ticket.name, signal) : came;
  const out = [...rejected, ...weighed.flatMap((one) => (one.isRejected ? [one.candidate.orgId] : []))];
  const claimed = leader?.trust.level === 'claimed';
  // A customer that somebody made by hand gets no twin: an agent is asked about it.
  const isOffered = adoption?.done === false;
  const wanted = leader?.looked != null && !isOffered && mayEnrich(ctx, seen, leader);
  const enriched = wanted ? await enrich(ctx, seen, leader, insists) : null;
  // CRM and shops may have taken seconds, and linking may have changed it.
  const ticket = await ctx.helpdesk.readPipelineTicket(seen.file.ticket.name, signal);
  const group = seen.file.ticket.agentGroup;
  return {
    ticket,
    inputs: {
      org_id: leader && {
        value: leader.candidate.orgId,
        source: leader.candidate === named ? (found.findings[0]?.source ?? 'text') : leader.candidate.source,
        field: leader.candidate.field,
        trust: leader.trust,
      },
      customer: customerOf(ticket, enriched, leader),
      looked_up: leader === null ? null : await lookedUpOf(ctx, ticket, leader, wanted && enriched === null, signal),
      claims,
      ticket_segment: seen.segment,
      ticket_status: seen.status,
      ticket_creation: seen.creation,
      agent_group: group === null ? null : { name: group, set_by: firstState.groupSetBy ?? ('person' as const) },
      crm: leader && crmOf(ctx, leader.looked),
      findings: found.findings,
      meta_failures: found.metaFailures,
      ...(out.length > 0 && { rejected: [...new Set(out)] }),
      ...(adoption && { adoption }),
    },
    link: leader && linkOf(seen, firstState.customer, leader, enriched),
    fields: {
      // Another shop's domain does not belong beside this org id.
      ...(found.platformDomain !== null &&
        (domainOf === null || leader?.candidate === domainOf) && {
          platformDomain: found.platformDomain,
        }),
      ...(leader && (leader.candidate === named || !claimed) && { orgId: leader.candidate.orgId }),
      ...((!claimed || claims === 'accept') && checkFields(leader?.looked ?? null)),
    },
  };
}

async function weigh(
  ctx: GatherNeeds,
  ticket: PipelineTicket,
  candidates: readonly Candidate[],
  { entered }: FirstState,
  signal: AbortSignal,
): Promise<Weighed[]> {
  const weighed: Weighed[] = [];
  for (const candidate of candidates) {
    const looked = await search(ctx, candidate);
    const isEntry = candidate.source === 'ticket' && entered?.orgId === candidate.orgId;
    const agent = isEntry ? entered.agent : null;
    const company = looked?.companies[0] ?? null;
    const match = { ticket: ticket.file.ticket, candidate, company, entered: agent };
    const { trust, isRejected } = await judgeMatch(ctx, match, signal);
    weighed.push({ candidate, looked, trust, isRejected });
    // Nothing further down can lead any more.
    if (trust.level === 'confirmed') break;
  }
  return weighed;
}

async function search(ctx: GatherNeeds, { orgId }: Candidate): Promise<Lookup | null> {
  return hasCrmOn(ctx) ? searchCompany(ctx, orgId, { refresh: false, lane: 'open' }) : null;
}

/** Whether the company may be written to the helpdesk's records and the ticket linked (docs/decisions.md 10). */
function mayEnrich(
  { routing: { claims } }: GatherNeeds,
  { file }: PipelineTicket,
  { candidate, trust }: Weighed,
): boolean {
  if (trust.level !== 'claimed') return true;
  return claims === 'accept' && (file.customer === null || carries(file.customer, candidate));
}

/** The company of the org id, unless the ticket's own customer stands for it. `isMissing`: it should have been linked. */
async function lookedUpOf(
  ctx: GatherNeeds,
  { file: { customer } }: PipelineTicket,
  { candidate, looked, trust }: Weighed,
  isMissing: boolean,
  signal: AbortSignal,
): Promise<NonNullable<RoutingInputs['looked_up']> | null> {
  const isClaim = trust.level === 'claimed';
  if (!(isClaim && ctx.routing.claims !== 'accept')) {
    // Without a customer the ticket's own segment counts.
    if (customer === null && !isMissing) return null;
    const [held] = customer === null ? [] : orderCandidates([], customer).candidates;
    // Against a mere claim what somebody has filled into a customer without org id counts.
    const isOwn = held === undefined ? isClaim && customer?.segment !== null : held.orgId === candidate.orgId;
    if (customer !== null && isOwn) return null;
  }
  const own = await ctx.helpdesk.findCustomerOf(candidate.orgId, signal);
  const facts = segmentOf(own ?? { segment: null, shopPlan: null }, looked?.companies[0]);
  return own === null
    ? { ...facts, source: 'crm', checked_at: isoOf(looked?.checkedAt ?? null) }
    : { ...facts, checked_at: isoOf(own.checkedAt) };
}

async function enrich(
  ctx: GatherNeeds,
  asRead: PipelineTicket,
  { candidate, looked, trust }: Weighed,
  insists: boolean,
): Promise<Enriched | null> {
  if (!hasCrm(ctx)) return null;
  const { file } = asRead;
  const input = {
    orgId: candidate.orgId,
    force: false,
    lane: 'open',
    hdCustomer: null,
    requireBind: null,
    level: trust.level,
    linksClaims: ctx.routing.claims === 'accept',
  } as const;
  return enrichRecords(ctx, { ...input, file, asRead, looked }).catch((error: unknown) => {
    if (!(error instanceof AppError && survivable.has(error.code))) throw error;
    if (insists && passing.has(error.code)) throw error;
    ctx.logger.warn({ error: error.code, ticket: file.ticket.name }, 'A ticket is routed without being enriched');
    return null;
  });
}

/** Whether the customer is known to have this org id: the claim then changes nothing. */
function carries(customer: Customer, { orgId }: Candidate): boolean {
  return orderCandidates([], customer).candidates.some((held) => held.orgId === orgId);
}

function crmOf({ crmEnabled }: Pick<Context, 'crmEnabled'>, looked: Lookup | null): RoutingInputs['crm'] {
  if (looked === null)
    return { status: crmEnabled ? 'missing_config' : 'disabled', error: null, checked_at: null, stale: false };
  const { status, error, checkedAt, stale } = looked;
  return { status, error, checked_at: isoOf(checkedAt), stale };
}

/** The ticket's customer; where it is the company that was looked up, also if it could not be written, with what that says. */
function customerOf(
  ticket: PipelineTicket,
  enriched: Enriched | null,
  leader: Pick<Weighed, 'candidate' | 'looked'> | null,
): RoutingInputs['customer'] {
  const { customer } = ticket.file;
  if (customer === null) return null;
  const orgId = orderCandidates([], customer).candidates[0]?.orgId ?? null;
  const isCompany = enriched?.data.hd_customer === customer.name || orgId === leader?.candidate.orgId;
  return {
    name: customer.name,
    org_id: orgId,
    ...segmentOf(customer, isCompany ? leader?.looked?.companies[0] : undefined),
    checked_at: isoOf(ticket.customerCheckedAt ?? leader?.looked?.checkedAt ?? null),
  };
}

/** Segment and plan of a customer; what is blank there, from the CRM's company (docs/routing.md#segment-and-plan). */
function segmentOf({ segment, shopPlan }: { segment: string | null; shopPlan: string | null }, company?: CrmCompany) {
  const { customer_segment = null, current_shopplan = null } = company?.fields ?? {};
  return {
    segment: segment ?? customer_segment,
    shop_plan: shopPlan ?? current_shopplan,
    source: segment === null && customer_segment !== null ? ('crm' as const) : ('hd_customer' as const),
  };
}

/** What linking did, or would have done if claims were trusted. */
function linkOf(
  seen: PipelineTicket,
  before: string | null,
  { candidate, looked }: { candidate: Candidate; looked: Lookup | null },
  enriched: Enriched | null,
): RoutingDecision['link'] {
  const previous = seen.file.ticket.customer;
  const customer = enriched?.data.hd_customer;
  // Compared with the customer when first seen: an earlier run may have linked it and then failed.
  if (enriched?.data.ticket?.linked && customer && before !== customer)
    return { customer, previous: before, done: true };
  const company = looked?.companies[0];
  if (enriched || !company || previous !== null) return null;
  return { customer: customerNameFor(company.fields.company_name ?? '', candidate.orgId), previous, done: false };
}

function isoOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
