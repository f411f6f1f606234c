import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import type { CrmCompany } from '#crm/company.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import { adoptCustomer } from '#customers/adopt.ts';
import { enrichRecords } from '#customers/enrich.ts';
import { customerNameFor, fitFor } from '#customers/find-customer.ts';
import type { Enriched } from '#customers/limits.ts';
import { clearIfRead } from '#customers/ticket-writes.ts';
import type { Customer } from '#helpdesk/customers.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket, Ticket } from '#helpdesk/tickets.ts';
import { type Candidate, orderCandidates } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import * as adoptions from '#store/adoptions.ts';
import { keyOf } from '#store/schema.ts';
import * as tickets from '#store/tickets.ts';
import { candidatesWithIntake } from '#trust/candidates.ts';
import { isHeld } from '#trust/claims.ts';
import { decidingOf } from '#trust/companies.ts';
import { judgeMatch, ticketFacts } from '#trust/evidence.ts';
import { isOwnAddress, type TicketFacts } from '#trust/judge.ts';
import { checkFields } from './written-fields.ts';

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
const survivable = new Set([...passing, 'identity_conflict', 'customer_not_found', 'helpdesk_refused']);

/**
 * Finds a ticket's org id, its company and its customer, writes what enrichment writes, and links the ticket if
 * permitted (ARCHITECTURE.md#a-new-ticket: intake, enrich, link). Repeatable. Throws HelpdeskError and AppError if the
 * helpdesk fails; whatever the CRM or a shop's address does is among the inputs.
 *
 * @param groupSetBy who set the ticket's group; null if it has none
 * @param insists throws the AppError of an enrichment that may do better when the ticket is tried again
 */
export async function gatherRoutingInputs(
  ctx: Context,
  came: PipelineTicket,
  groupSetBy: NonNullable<RoutingInputs['agent_group']>['set_by'] | null,
  signal: AbortSignal,
  insists = false,
): Promise<Gathered> {
  const { claims } = ctx.routing;
  const { candidates, found, fromIntake, domainOf, rejected } = await candidatesWithIntake(ctx, came, signal);
  await noteCarried(ctx, came, candidates);
  const facts = await ticketFacts(ctx, came.file.ticket, signal);
  const weighed = await weigh(ctx, came, candidates, facts, signal);
  const leader = decidingOf(weighed) ?? null;
  const adoption = leader && (await adoptOwnCustomer(ctx, came, leader, signal));
  const ticketRead = adoption?.done ? await ctx.helpdesk.tickets.read(came.file.ticket.name, signal) : came;
  const out = [...rejected, ...weighed.flatMap((one) => (one.isRejected ? [one.candidate.orgId] : []))];
  const orgId = leader && {
    value: leader.candidate.orgId,
    source: leader.candidate === fromIntake ? (found.findings[0]?.source ?? 'text') : leader.candidate.source,
    field: leader.candidate.field,
    trust: leader.trust,
  };
  const held = isHeld({ org_id: orgId, ...(adoption && { adoption }) }, claims);
  const wanted = leader?.looked != null && !held && mayEnrich(ticketRead, leader);
  const { enriched, refused } = wanted ? await enrich(ctx, ticketRead, leader, insists) : notEnriched;
  // CRM and shops may have taken seconds, and linking may have changed it.
  const ticket = await readLinked(ctx, came.file.ticket, enriched, signal);
  const group = ticketRead.file.ticket.agentGroup;
  return {
    ticket,
    inputs: {
      org_id: orgId,
      customer: customerOf(ticket, enriched, leader),
      looked_up:
        leader && (await lookedUpOf(ctx, ticket, leader, { held, isMissing: wanted && enriched === null }, signal)),
      claims,
      ticket_segment: ticketRead.segment,
      ticket_status: ticketRead.status,
      ticket_creation: ticketRead.file.ticket.creation,
      agent_group: group === null ? null : { name: group, set_by: groupSetBy ?? ('person' as const) },
      crm: leader && crmOf(ctx, leader.looked),
      findings: found.findings,
      meta_failures: found.metaFailures,
      ...(out.length > 0 && { rejected: [...new Set(out)] }),
      ...(adoption && { adoption }),
      ...(refused !== null && { write_refused: refused }),
    },
    link: leader && linkOf(came, leader, enriched),
    fields: {
      // Another shop's domain does not belong beside this org id.
      ...(found.platformDomain !== null &&
        (domainOf === null || leader?.candidate === domainOf) && {
          platformDomain: found.platformDomain,
        }),
      ...(leader && (leader.candidate === fromIntake || !held) && { orgId: leader.candidate.orgId }),
      ...(!held && checkFields(leader?.looked ?? null)),
    },
  };
}

/** For the record of what a sender has claimed (docs/decisions.md 7). */
function noteCarried(ctx: Context, { file: { ticket } }: PipelineTicket, candidates: readonly Candidate[]) {
  const orgIds = candidates.flatMap(({ source, orgId }) => (source === 'ticket' ? [orgId] : []));
  const { name, creation, origin } = ticket;
  return tickets.noteCarried(ctx.db, { name, creation, raisedBy: origin.raisedBy, orgIds }, ctx.clock());
}

async function weigh(
  ctx: Context,
  { file: { ticket } }: PipelineTicket,
  candidates: readonly Candidate[],
  facts: TicketFacts,
  signal: AbortSignal,
): Promise<Weighed[]> {
  const weighed: Weighed[] = [];
  for (const candidate of candidates) {
    const looked = await search(ctx, candidate);
    const company = looked?.companies[0] ?? null;
    const { trust, isRejected } = await judgeMatch(ctx, { ticket, candidate, company, facts }, signal);
    weighed.push({ candidate, looked, trust, isRejected });
    // Nothing further down can lead any more.
    if (trust.level === 'confirmed' && company !== null) break;
  }
  return weighed;
}

/**
 * Makes the ticket's customer, made by hand, the company: where the company's own address raised the ticket, no other
 * customer has the org id, and no website user may write this one (docs/decisions.md 11). `done: false`: an agent may say
 * so. Null where it has an org id, or the CRM has no company.
 */
async function adoptOwnCustomer(
  ctx: Context,
  { file, customerRecord }: PipelineTicket,
  { candidate: { orgId }, looked, trust }: Weighed,
  signal: AbortSignal,
): Promise<RoutingInputs['adoption'] | null> {
  const [company] = looked?.companies ?? [];
  if (customerRecord === null || !company || looked?.checkedAt == null) return null;
  const { name } = customerRecord;
  const target = { orgId, crmCompanyId: company.fields.bitrix_id };
  if ((await fitFor(ctx, customerRecord, target, signal)) !== 'free') return null;
  const offered = { customer: name, done: false };
  const isSaid = trust.level === 'confirmed' || (trust.level === 'likely' && ctx.routing.claims === 'accept');
  if (!isSaid || !isOwnAddress(trust) || looked.status === 'error') return offered;
  if (!(await ctx.helpdesk.rights.isDeskOnly(name, signal))) return offered;
  const earlier = await adoptions.ofCustomer(ctx.db, name);
  if (earlier.some((one) => one.orgId === orgId && one.undoneAt !== null)) return offered;
  const match = { orgId, company, checkedAt: looked.checkedAt, platformHost: ctx.platformHost };
  const cause = { by: null, via: 'pipeline', ticket: keyOf(file.ticket) } as const;
  const { outcome } = await adoptCustomer(ctx, { customer: name, match, ...cause }, signal);
  return { ...offered, done: outcome === 'adopted' };
}

/**
 * The ticket as it is after linking. If somebody else reads it since it was judged, it is unlinked and to be judged anew. Throws
 * `changed_since` then.
 */
async function readLinked(
  ctx: Context,
  judged: Ticket,
  enriched: Enriched | null,
  signal: AbortSignal,
): Promise<PipelineTicket> {
  const { name, contact, customer } = judged;
  const ticket = await ctx.helpdesk.tickets.read(name, signal);
  if (ticket.file.ticket.contact === contact) return ticket;
  const linked = enriched?.data.ticket?.linked ? (enriched.data.hd_customer ?? null) : null;
  const written = { fields: {}, instead: {}, customer: linked === customer ? null : linked };
  if ((await clearIfRead(ctx, { name, contact: null }, written, signal)) !== null) throw new AppError('changed_since');
  return ticket;
}

async function search(ctx: Context, { orgId }: Candidate): Promise<Lookup | null> {
  return ctx.crmEnabled && ctx.crm !== null ? searchCompany(ctx, orgId, { refresh: false, lane: 'open' }) : null;
}

/** Whether the company may be written to the helpdesk's records: a claim only to its own customer (docs/decisions.md 9). */
function mayEnrich({ file }: PipelineTicket, { candidate, trust }: Weighed): boolean {
  return trust.level !== 'claimed' || file.customer === null || carries(file.customer, candidate);
}

/**
 * The company of the org id, where it decides instead of the ticket's customer: null where that stands for a company.
 *
 * @param how.isMissing whether the ticket should have been linked and was not
 */
async function lookedUpOf(
  ctx: Context,
  { file: { customer } }: PipelineTicket,
  { candidate, looked, trust }: Weighed,
  { held, isMissing }: { held: boolean; isMissing: boolean },
  signal: AbortSignal,
): Promise<RoutingInputs['looked_up']> {
  const [carried] = customer === null ? [] : orderCandidates([], customer).candidates;
  if (carried !== undefined && (carried.orgId !== candidate.orgId || !held)) return null;
  // Without a customer the ticket's own segment counts.
  if (customer === null && !held && !isMissing) return null;
  // Against a mere claim what somebody has filled into a customer without org id counts.
  if (customer !== null && carried === undefined && trust.level === 'claimed' && customer.segment !== null) return null;
  const [own] = await ctx.helpdesk.customers.findByOrgId(candidate.orgId, signal);
  const facts = segmentOf(own ?? { segment: null, shopPlan: null }, looked?.companies[0]);
  return own === undefined
    ? { ...facts, source: 'crm', checked_at: isoOf(looked?.checkedAt ?? null) }
    : { ...facts, checked_at: isoOf(own.lastCheckedAt) };
}

const notEnriched = { enriched: null, refused: null };

/** `refused`: what the helpdesk has against what was to be written, which trying again would not change. */
async function enrich(
  ctx: Context,
  asRead: PipelineTicket,
  { candidate, looked, trust }: Weighed,
  insists: boolean,
): Promise<{ enriched: Enriched | null; refused: string | null }> {
  if (ctx.crm === null) return notEnriched;
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
  try {
    return { enriched: await enrichRecords(ctx, { ...input, file, asRead, looked }), refused: null };
  } catch (error) {
    if (!(error instanceof AppError && survivable.has(error.code))) throw error;
    if (insists && passing.has(error.code)) throw error;
    const refused = error.conflict?.code === 'write_refused' ? error.conflict.found : null;
    const fields = { error: error.code, ticket: file.ticket.name, ...(refused !== null && { refused }) };
    ctx.logger.warn(fields, 'A ticket is routed without being enriched');
    return { enriched: null, refused };
  }
}

/** Whether the customer is known to have this org id: the claim then changes nothing. */
function carries(customer: Customer, { orgId }: Candidate): boolean {
  return orderCandidates([], customer).candidates.some((held) => held.orgId === orgId);
}

function crmOf({ crmEnabled }: Context, looked: Lookup | null): RoutingInputs['crm'] {
  if (looked === null)
    return { status: crmEnabled ? 'missing_config' : 'disabled', error: null, checked_at: null, stale: false };
  const { outcome, error, checkedAt, stale } = looked;
  const status = looked.status === 'cached' && outcome === 'not_found' ? outcome : looked.status;
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

/** What linking did, or would have done if the company were vouched for. */
function linkOf(
  { file: { ticket } }: PipelineTicket,
  { candidate, looked }: Weighed,
  enriched: Enriched | null,
): RoutingDecision['link'] {
  const previous = ticket.customer;
  const customer = enriched?.data.hd_customer;
  if (enriched?.data.ticket?.linked && customer && previous !== customer) return { customer, previous, done: true };
  const company = looked?.companies[0];
  if (enriched || !company || previous !== null) return null;
  return { customer: customerNameFor(company.fields.company_name ?? '', candidate.orgId), previous, done: false };
}

function isoOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
