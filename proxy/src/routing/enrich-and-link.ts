import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { Context, Work } from '#context.ts';
import { namedSegment, unnamedSegment } from '#crm/company.ts';
import type { Lookup } from '#crm/lookup.ts';
import type { EnrichmentResult } from '#crm/per-user.ts';
import { enrichRecords } from '#customers/enrich.ts';
import { matchOf, targetOf } from '#customers/facts.ts';
import { customerNameFor, fitFor, isNumbered } from '#customers/find-customer.ts';
import { adoptCustomer } from '#customers/write-customer.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import type { PipelineTicket } from '#helpdesk/ticket-file.ts';
import { orgIdOfCustomer, shopDomainOf } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import { keyOf } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import { type JudgedCompany, onlyOf, openForWriting } from '#trust/case.ts';
import { isHeld, isSameCompany, levelOf } from '#trust/companies.ts';
import { idsOf, mayBecomeByTicket } from '#trust/evidence.ts';
import { isOwnAddress } from '#trust/judge.ts';
import { openRoutingCase, orgIdInput, type RoutingCase, unreadInput } from './routing-case.ts';

/** A case as it is after enrichment, with what is recorded of it with a decision. */
export interface EnrichedCase extends RoutingCase, Pick<RoutingDecision, 'inputs' | 'link'> {}

type AdoptionInput = NonNullable<RoutingInputs['adoption']>;
type GroupSetBy = NonNullable<RoutingInputs['agent_group']>['set_by'];

/**
 * Opens the case of a ticket and writes what the specification has enrichment write: the customer, its snapshot and the
 * ticket's link, as far as somebody vouches for the company. Repeatable. Throws HelpdeskError and AppError if the helpdesk
 * fails, and `changed_since` or `ticket_read_by_other` if somebody else reads the ticket since it was judged.
 *
 * @param groupSetBy who set the ticket's group; null if it has none
 * @param insists throws the AppError of an enrichment that may do better when the ticket is tried again
 */
export async function enrichAndLink(
  ctx: Work,
  ticket: PipelineTicket,
  groupSetBy: GroupSetBy | null,
  insists = false,
): Promise<EnrichedCase> {
  const judged = await openRoutingCase(ctx, ticket);
  const inputs = ticketInputs(ctx, judged, groupSetBy);
  const { leading } = judged;
  if (leading === null) {
    const without = { ...unreadInput(judged.ticket), ...(inputs.rejected && (await rejectedBy(ctx, judged))) };
    return { ...judged, inputs: { ...inputs, ...without, customer: customerInput(judged, null) }, link: null };
  }
  const adoption = await adoptOwnCustomer(ctx, judged, leading);
  const adopted = adoption?.done ? await openAgain(ctx, judged, leading) : judged;
  const course = courseOf(ctx, adopted, leading, adoption);
  const { enriched, refused } = course === 'vouched_for' ? await enrich(ctx, adopted, leading, insists) : notTried;
  const opened = isAsEnriched(adopted, enriched) ? adopted : await openAgain(ctx, adopted, leading);
  const [first] = leading.lookup?.companies ?? [];
  const unnamed = first && !isHeldBack(course) ? unnamedSegment(first.fields) : null;
  return {
    ...opened,
    inputs: {
      ...inputs,
      org_id: orgIdInput(leading, judged.intake),
      customer: customerInput(opened, enriched),
      looked_up: await lookedUpInput(ctx, opened, leading, course, enriched),
      crm: crmInput(ctx, leading.lookup),
      ...(unnamed !== null && { unnamed_segment: unnamed }),
      ...(adoption && { adoption }),
      ...(enriched?.data.created && isNumbered(enriched.data.hd_customer ?? '') && { name_taken: true }),
      ...(refused !== null && { write_refused: refused }),
    },
    link: linkOf(judged, leading, enriched),
  };
}

/** What is recorded of the ticket itself, where no company leads. */
function ticketInputs(
  { routing }: Context,
  { companies, intake, ticket: { file, segment, status } }: RoutingCase,
  groupSetBy: GroupSetBy | null,
): RoutingInputs {
  const { agentGroup, creation } = file.ticket;
  const rejected = companies.flatMap(({ candidate, isRejected }) => (isRejected ? [candidate.orgId] : []));
  return {
    org_id: null,
    customer: null,
    looked_up: null,
    crm: null,
    claims: routing.claims,
    ticket_segment: segment,
    ticket_status: status,
    ticket_creation: creation,
    agent_group: agentGroup === null ? null : { name: agentGroup, set_by: groupSetBy ?? 'person' },
    findings: intake.findings,
    meta_failures: intake.metaFailures,
    ...(rejected.length > 0 && { rejected: [...new Set(rejected)] }),
  };
}

/** Whether enrichment has left ticket and customer as they were read. */
function isAsEnriched({ ticket }: RoutingCase, enriched: EnrichmentResult | null): boolean {
  if (enriched === null) return true;
  if (enriched.data.changes?.length) return false;
  // The ticket may have been linked, or another ticket of the company may have written the customer.
  return enriched.record == null || enriched.record.modified === ticket.customerRecord?.modified;
}

/** The case after a write of ours, with what intake found. Who vouches has been judged, and a contact was looked for just now. */
async function openAgain(ctx: Work, judged: RoutingCase, leading: JudgedCompany): Promise<RoutingCase> {
  const { name } = judged.file.ticket;
  const again = { ...onlyOf(leading), leavesContact: true };
  const { ticket, file, otherReader, sender } = await openForWriting(ctx, name, again);
  if (otherReader !== judged.otherReader) throw new AppError('changed_since');
  return { ...judged, ticket, file, sender };
}

/**
 * What is done about the company that leads. One that is vouched for is written to the helpdesk's records, and the ticket linked;
 * of one that is held nothing goes on the ticket but the team (decisions 9 and 11: claims, which customer).
 */
type Course = 'customer_by_hand' | 'held' | 'crm_not_asked' | 'customer_of_other' | 'vouched_for';

const isHeldBack = (course: Course) => course === 'held' || course === 'customer_by_hand';

/** The first of these that hits. */
function courseOf(
  { routing }: Context,
  { file: { customer } }: RoutingCase,
  { candidate, lookup, trust }: JudgedCompany,
  adoption: AdoptionInput | null,
): Course {
  const isOwn = customer === null || orgIdOfCustomer(customer) === candidate.orgId;
  const courses: { course: Course; hits: boolean }[] = [
    { course: 'customer_by_hand', hits: adoption?.done === false },
    { course: 'held', hits: isHeld({ org_id: { trust } }, routing.claims) },
    { course: 'crm_not_asked', hits: lookup === null },
    // A claim is written to its own customer alone (decision 9: claims).
    { course: 'customer_of_other', hits: levelOf(trust) === 'claimed' && !isOwn },
  ];
  return courses.find(({ hits }) => hits)?.course ?? 'vouched_for';
}

/**
 * Makes the ticket's customer, made by hand, the company: where the company's own address raised the ticket, no other
 * customer has the org id, and nobody else outside the desk reads or writes this one (decision 12: made by hand).
 * `done: false`: an agent may say so. Null where it has an org id, or the CRM has no company.
 */
async function adoptOwnCustomer(ctx: Work, opened: RoutingCase, company: JudgedCompany): Promise<AdoptionInput | null> {
  const { file, ticket } = opened;
  const { customerRecord } = ticket;
  const { lookup, trust } = company;
  const { orgId } = company.candidate;
  const match = lookup && matchOf(lookup, shopDomainOf(foundIn(opened, company), orgId, true));
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

const foundIn = ({ intake }: RoutingCase, company: JudgedCompany) => ({
  org_id: orgIdInput(company, intake),
  findings: intake.findings,
});

/** Failures of enrichment that do not keep a ticket from being routed by what is known; others are retried. */
const passing = new Set(['helpdesk_bad_answer', 'changed_since']);
const survivable = new Set([...passing, 'identity_conflict', 'customer_not_found', 'helpdesk_refused']);

/** Who rejected the companies that the ticket names, by name: their address is nobody's outside the desk. */
async function rejectedBy(
  { helpdesk, signal }: Work,
  { rejections, companies }: RoutingCase,
): Promise<Pick<RoutingInputs, 'rejected_by'>> {
  const latest = rejections.find((one) =>
    companies.some(({ candidate, lookup }) => isSameCompany(idsOf(candidate, lookup), one)),
  );
  const name = latest && (await helpdesk.people.userNames([latest.agent], signal)).get(latest.agent);
  return { rejected_by: name ?? 'an agent' };
}

const notTried = { enriched: null, refused: null };

/** `refused`: what the helpdesk has against what was to be written, which trying again would not change. */
async function enrich(
  ctx: Work,
  opened: RoutingCase,
  company: JudgedCompany,
  insists: boolean,
): Promise<{ enriched: EnrichmentResult | null; refused: string | null }> {
  const { lookup } = company;
  if (lookup === null) return notTried;
  try {
    const intake = foundIn(opened, company);
    return { enriched: await enrichRecords(ctx, { lookup, mends: false, opened, intake }), refused: null };
  } catch (error) {
    if (!(error instanceof AppError && survivable.has(error.code))) throw error;
    if (insists && passing.has(error.code)) throw error;
    const refused = whyRefused(error);
    const fields = { error: error.code, ticket: opened.file.ticket.name, ...(refused !== null && { refused }) };
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

/**
 * The company of the org id, where it decides instead of the ticket's customer (docs/routing.md#segment-and-plan); null: the
 * customer decides, or without one the ticket's own segment. The first of these that hits.
 */
async function lookedUpInput(
  ctx: Work,
  routed: RoutingCase,
  company: JudgedCompany,
  course: Course,
  enriched: EnrichmentResult | null,
): Promise<RoutingInputs['looked_up']> {
  if (!isAheadOfCustomer(routed, company, course, enriched)) return null;
  const { customer } = routed.file;
  const { candidate, lookup } = company;
  const [standing] = await ctx.helpdesk.customers.findByOrgId(candidate.orgId, ctx.signal);
  // Neither helpdesk nor CRM knows the company.
  if (customer !== null && standing === undefined && !lookup?.companies[0]) return null;
  const facts = segmentOf(standing ?? null, lookup?.companies[0]);
  return standing === undefined
    ? { ...facts, source: 'crm', checked_at: isoOf(lookup?.checkedAt ?? null) }
    : { ...facts, checked_at: isoOf(standing.lastCheckedAt) };
}

/** Whether a company that helpdesk or CRM knows decides before the ticket's customer, or its own segment. */
function isAheadOfCustomer(
  { file: { customer }, ticket: { customerRecord } }: RoutingCase,
  { candidate, trust }: JudgedCompany,
  course: Course,
  enriched: EnrichmentResult | null,
): boolean {
  const carried = orgIdOfCustomer(customer);
  const held = isHeldBack(course);
  // A customer that stands for a company.
  if (carried !== null && (carried !== candidate.orgId || !held)) return false;
  // Without a customer the ticket's own segment counts, unless it should have been linked and was not.
  const isMissing = course === 'vouched_for' && enriched === null;
  if (customer === null && !held && !isMissing) return false;
  // Against a mere claim what somebody has filled into a customer without org id counts.
  const isFilled = carried === null && (customerRecord?.segment ?? null) !== null;
  return !isFilled || levelOf(trust) !== 'claimed';
}

function crmInput({ crmEnabled }: Context, lookup: Lookup | null): RoutingInputs['crm'] {
  if (lookup === null)
    return { status: crmEnabled ? 'missing_config' : 'disabled', error: null, checked_at: null, stale: false };
  const { outcome, error, checkedAt, stale } = lookup;
  const status = lookup.status === 'cached' && outcome === 'not_found' ? outcome : lookup.status;
  return { status, error, checked_at: isoOf(checkedAt), stale };
}

/** The ticket's customer; where it is the company that was looked up, also if it could not be written, with what that says. */
function customerInput(
  { file: { customer }, ticket: { customerRecord }, leading }: RoutingCase,
  enriched: EnrichmentResult | null,
): RoutingInputs['customer'] {
  if (customer === null) return null;
  const orgId = orgIdOfCustomer(customer);
  const isCompany = enriched?.data.hd_customer === customer.name || orgId === leading?.candidate.orgId;
  return {
    name: customer.name,
    org_id: orgId,
    ...segmentOf(customerRecord, isCompany ? leading?.lookup?.companies[0] : undefined),
    checked_at: isoOf(customerRecord?.lastCheckedAt ?? leading?.lookup?.checkedAt ?? null),
  };
}

/** Segment and plan of a customer; what is blank there, from the CRM's company (docs/routing.md#segment-and-plan). */
function segmentOf(customer: Pick<CustomerRecord, 'segment' | 'shopPlan'> | null, company?: CrmCompany) {
  const segment = customer?.segment ?? null;
  const customer_segment = company ? namedSegment(company.fields) : null;
  const current_shopplan = company?.fields.current_shopplan ?? null;
  return {
    segment: segment ?? customer_segment,
    shop_plan: customer?.shopPlan ?? current_shopplan,
    source: segment === null && customer_segment !== null ? ('crm' as const) : ('hd_customer' as const),
  };
}

/** What linking did, or would have done if the company were vouched for. */
function linkOf(
  { file: { ticket } }: RoutingCase,
  { candidate, lookup }: JudgedCompany,
  enriched: EnrichmentResult | null,
): RoutingDecision['link'] {
  const previous = ticket.customer;
  const customer = enriched?.data.hd_customer;
  const { linked, previous_customer: found } = enriched?.data.ticket ?? {};
  if (linked && customer && found !== customer) return { customer, previous, done: true };
  const company = lookup?.companies[0];
  if (enriched || !company || previous !== null) return null;
  return { customer: customerNameFor(company.fields.company_name, candidate.orgId), previous, done: false };
}

function isoOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
