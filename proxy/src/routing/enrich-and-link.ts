import type { HelpdeskCustomer } from '@deskside/shared/profile';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { Context, Work } from '#context.ts';
import { namedSegment, unnamedSegment } from '#crm/company.ts';
import type { Lookup } from '#crm/lookup.ts';
import { enrichRecords } from '#customers/enrich.ts';
import { checkFields, matchOf, targetOf } from '#customers/facts.ts';
import { customerNameFor, fitFor, isNumbered } from '#customers/find-customer.ts';
import type { Enriched } from '#customers/limits.ts';
import { clearIfRead } from '#customers/ticket-writes.ts';
import { adoptCustomer } from '#customers/write-customer.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket, Ticket } from '#helpdesk/tickets.ts';
import { type Candidate, orderCandidates } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import { keyOf } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import type { JudgedCompany } from '#trust/case.ts';
import { isHeld, isSameCompany, levelOf } from '#trust/companies.ts';
import { idsOf, mayBecomeByTicket } from '#trust/evidence.ts';
import { isOwnAddress } from '#trust/judge.ts';
import { orgIdInput, type RoutingCase, unreadInput } from './facts.ts';

/** What a decision goes by, and what is written with it. */
export interface Linked {
  /** As it is now, after everything else. */
  ticket: PipelineTicket;
  inputs: RoutingInputs;
  link: RoutingDecision['link'];
  /** What to write to the ticket besides the routing itself. */
  fields: RoutingFields;
}

/** Failures of enrichment that do not keep a ticket from being routed by what is known; others are retried. */
const passing = new Set(['helpdesk_bad_answer', 'changed_since']);
const survivable = new Set([...passing, 'identity_conflict', 'customer_not_found', 'helpdesk_refused']);

/**
 * Writes what the specification has enrichment write: the customer, its snapshot and the ticket's link, as far as somebody
 * vouches for the company. Repeatable. Throws HelpdeskError and AppError if the helpdesk fails.
 *
 * @param groupSetBy who set the ticket's group; null if it has none
 * @param insists throws the AppError of an enrichment that may do better when the ticket is tried again
 */
export async function enrichAndLink(
  ctx: Work,
  opened: RoutingCase,
  groupSetBy: NonNullable<RoutingInputs['agent_group']>['set_by'] | null,
  insists = false,
): Promise<Linked> {
  const { leading: company, intake, ticket: read } = opened;
  const orgId = orgIdInput(opened);
  const rejected = opened.companies.filter(({ isRejected }) => isRejected).map(({ candidate }) => candidate.orgId);
  const { claims } = ctx.routing;
  const adoption = company && (await adoptOwnCustomer(ctx, read, company));
  const { name, agentGroup } = read.file.ticket;
  const asRead = adoption?.done ? await ctx.helpdesk.tickets.read(name, ctx.signal) : read;
  const held = isHeld({ org_id: orgId, ...(adoption && { adoption }) }, claims);
  const isWanted = company?.lookup != null && !held && mayEnrich(asRead, company);
  const { enriched, refused } = isWanted ? await enrich(ctx, opened, asRead, company, insists) : notEnriched;
  const ticket = await readLinked(ctx, read.file.ticket, enriched);
  const isMissing = isWanted && enriched === null;
  const [first] = company?.lookup?.companies ?? [];
  const unnamed = first ? unnamedSegment(first.fields) : null;
  return {
    ticket,
    inputs: {
      org_id: orgId,
      customer: customerOf(ticket, enriched, company),
      looked_up: company && (await lookedUpOf(ctx, ticket, company, { held, isMissing })),
      claims,
      ticket_segment: asRead.segment,
      ticket_status: asRead.status,
      ticket_creation: asRead.file.ticket.creation,
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: groupSetBy ?? 'person' },
      crm: company && crmOf(ctx, company.lookup),
      findings: intake.findings,
      meta_failures: intake.metaFailures,
      ...(rejected.length > 0 && { rejected: [...new Set(rejected)] }),
      ...(orgId === null && unreadInput(read)),
      ...(unnamed !== null && !held && { unnamed_segment: unnamed }),
      ...(rejected.length > 0 && company === null && { rejected_by: await rejectedBy(ctx, opened) }),
      ...(adoption && { adoption }),
      ...(enriched?.data.created && isNumbered(enriched.data.hd_customer ?? '') && { name_taken: true }),
      ...(refused !== null && { write_refused: refused }),
    },
    link: company && linkOf(read, company, enriched),
    fields: {
      ...(opened.platformDomain !== null && { platformDomain: opened.platformDomain }),
      ...(company && (opened.isFromIntake || !held) && { orgId: company.candidate.orgId }),
      ...(!held && checkFields(company?.lookup ?? null)),
    },
  };
}

/**
 * Makes the ticket's customer, made by hand, the company: where the company's own address raised the ticket, no other
 * customer has the org id, and nobody else outside the desk reads or writes this one (docs/decisions.md 12). `done: false`: an agent may say
 * so. Null where it has an org id, or the CRM has no company.
 */
async function adoptOwnCustomer(
  ctx: Work,
  { file, customerRecord }: PipelineTicket,
  { candidate: { orgId }, lookup, trust }: JudgedCompany,
): Promise<RoutingInputs['adoption'] | null> {
  const match = lookup && matchOf(lookup);
  if (customerRecord === null || match === null) return null;
  const { name } = customerRecord;
  if ((await fitFor(ctx, customerRecord, targetOf(match))) !== 'free') return null;
  const offered = { customer: name, done: false };
  const isSaid = trust?.level === 'confirmed' || (trust?.level === 'likely' && ctx.routing.claims === 'accept');
  if (!isSaid || !isOwnAddress(trust) || lookup?.status === 'error') return offered;
  const earlier = await syncs.adoptionsOf(ctx.db, name);
  if (earlier.some((one) => one.orgId === orgId && one.undoneAt !== null)) return offered;
  if (!(await mayBecomeByTicket(ctx, file.ticket, name))) return offered;
  const cause = { by: null, via: 'pipeline', ticket: keyOf(file.ticket) } as const;
  const { outcome } = await adoptCustomer(ctx, { customer: name, match, ...cause });
  return { ...offered, done: outcome === 'adopted' };
}

/**
 * The ticket as it is after linking. If somebody else reads it since it was judged, it is unlinked and to be judged anew. Throws
 * `changed_since` then.
 */
async function readLinked(ctx: Work, judged: Ticket, enriched: Enriched | null): Promise<PipelineTicket> {
  const { name, contact, customer } = judged;
  const ticket = await ctx.helpdesk.tickets.read(name, ctx.signal);
  if (ticket.file.ticket.contact === contact) return ticket;
  const linked = enriched?.data.ticket?.linked ? (enriched.data.hd_customer ?? null) : null;
  const written = { fields: {}, customer: linked === customer ? null : linked };
  if ((await clearIfRead(ctx, { name, contact: null }, written)) !== null) throw new AppError('changed_since');
  return ticket;
}

/** Who rejected the companies that the ticket names, by name: their address is nobody's outside the desk. */
async function rejectedBy({ helpdesk, signal }: Work, { rejections, companies }: RoutingCase): Promise<string> {
  const [latest] = rejections.filter((one) =>
    companies.some(({ candidate, lookup }) => isSameCompany(idsOf(candidate, lookup), one)),
  );
  const names = latest && (await helpdesk.people.userNames([latest.agent], signal));
  return names?.get(latest?.agent ?? '') ?? 'an agent';
}

/** Whether the company may be written to the helpdesk's records: a claim only to its own customer (docs/decisions.md 9). */
function mayEnrich({ file }: PipelineTicket, { candidate, trust }: JudgedCompany): boolean {
  return levelOf(trust) !== 'claimed' || file.customer === null || carries(file.customer, candidate);
}

/**
 * The company of the org id, where it decides instead of the ticket's customer: null where that stands for a company.
 *
 * @param how.isMissing whether the ticket should have been linked and was not
 */
async function lookedUpOf(
  ctx: Work,
  { file: { customer }, customerRecord }: PipelineTicket,
  { candidate, lookup, trust }: JudgedCompany,
  { held, isMissing }: { held: boolean; isMissing: boolean },
): Promise<RoutingInputs['looked_up']> {
  const [carried] = customer === null ? [] : orderCandidates([], customer).candidates;
  if (carried !== undefined && (carried.orgId !== candidate.orgId || !held)) return null;
  // Without a customer the ticket's own segment counts.
  if (customer === null && !held && !isMissing) return null;
  // Against a mere claim what somebody has filled into a customer without org id counts.
  if (carried === undefined && levelOf(trust) === 'claimed' && (customerRecord?.segment ?? null) !== null) return null;
  const [standing] = await ctx.helpdesk.customers.findByOrgId(candidate.orgId, ctx.signal);
  // Where neither helpdesk nor CRM knows the company, the ticket's customer decides (docs/routing.md#segment-and-plan).
  if (customer !== null && standing === undefined && !lookup?.companies[0]) return null;
  const facts = segmentOf(standing ?? null, lookup?.companies[0]);
  return standing === undefined
    ? { ...facts, source: 'crm', checked_at: isoOf(lookup?.checkedAt ?? null) }
    : { ...facts, checked_at: isoOf(standing.lastCheckedAt) };
}

const notEnriched = { enriched: null, refused: null };

/** `refused`: what the helpdesk has against what was to be written, which trying again would not change. */
async function enrich(
  ctx: Work,
  opened: RoutingCase,
  asRead: PipelineTicket,
  { lookup }: JudgedCompany,
  insists: boolean,
): Promise<{ enriched: Enriched | null; refused: string | null }> {
  if (lookup === null) return notEnriched;
  const { file } = asRead;
  try {
    return {
      enriched: await enrichRecords(ctx, { lookup, mends: false, opened: { ...opened, file, ticket: asRead } }),
      refused: null,
    };
  } catch (error) {
    if (!(error instanceof AppError && survivable.has(error.code))) throw error;
    if (insists && passing.has(error.code)) throw error;
    const refused = whyRefused(error);
    const fields = { error: error.code, ticket: file.ticket.name, ...(refused !== null && { refused }) };
    ctx.logger.warn(fields, 'A ticket is routed without being enriched');
    return { enriched: null, refused };
  }
}

/** What is said of it on the ticket: not who has the name, which is the company's. */
function whyRefused({ conflict }: AppError): string | null {
  if (conflict?.code === 'name_taken')
    return 'one made by hand has its name and may be it, which an agent says by a Sync';
  return conflict?.code === 'write_refused' ? conflict.found : null;
}

/** Whether the customer is known to have this org id: the claim then changes nothing. */
function carries(customer: HelpdeskCustomer, { orgId }: Candidate): boolean {
  return orderCandidates([], customer).candidates.some((held) => held.orgId === orgId);
}

function crmOf({ crmEnabled }: Context, lookup: Lookup | null): RoutingInputs['crm'] {
  if (lookup === null)
    return { status: crmEnabled ? 'missing_config' : 'disabled', error: null, checked_at: null, stale: false };
  const { outcome, error, checkedAt, stale } = lookup;
  const status = lookup.status === 'cached' && outcome === 'not_found' ? outcome : lookup.status;
  return { status, error, checked_at: isoOf(checkedAt), stale };
}

/** The ticket's customer; where it is the company that was looked up, also if it could not be written, with what that says. */
function customerOf(
  ticket: PipelineTicket,
  enriched: Enriched | null,
  company: JudgedCompany | null,
): RoutingInputs['customer'] {
  const { customer } = ticket.file;
  if (customer === null) return null;
  const orgId = orderCandidates([], customer).candidates[0]?.orgId ?? null;
  const isCompany = enriched?.data.hd_customer === customer.name || orgId === company?.candidate.orgId;
  return {
    name: customer.name,
    org_id: orgId,
    ...segmentOf(ticket.customerRecord, isCompany ? company?.lookup?.companies[0] : undefined),
    checked_at: isoOf(ticket.customerRecord?.lastCheckedAt ?? company?.lookup?.checkedAt ?? null),
  };
}

/** Segment and plan of a customer; what is blank there, from the CRM's company (docs/routing.md#segment-and-plan). */
function segmentOf(customer: Pick<CustomerRecord, 'segment' | 'shopPlan'> | null, company?: CrmCompany) {
  const { segment, shopPlan } = customer ?? { segment: null, shopPlan: null };
  const customer_segment = company ? namedSegment(company.fields) : null;
  const current_shopplan = company?.fields.current_shopplan ?? null;
  return {
    segment: segment ?? customer_segment,
    shop_plan: shopPlan ?? current_shopplan,
    source: segment === null && customer_segment !== null ? ('crm' as const) : ('hd_customer' as const),
  };
}

/** What linking did, or would have done if the company were vouched for. */
function linkOf(
  { file: { ticket } }: PipelineTicket,
  { candidate, lookup }: JudgedCompany,
  enriched: Enriched | null,
): RoutingDecision['link'] {
  const previous = ticket.customer;
  const customer = enriched?.data.hd_customer;
  if (enriched?.data.ticket?.linked && customer && previous !== customer) return { customer, previous, done: true };
  const company = lookup?.companies[0];
  if (enriched || !company || previous !== null) return null;
  return { customer: customerNameFor(company.fields.company_name, candidate.orgId), previous, done: false };
}

function isoOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
