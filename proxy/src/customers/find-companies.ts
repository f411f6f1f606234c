import { contract } from '@deskside/shared/contract';
import type { FindData, FoundCompany } from '@deskside/shared/find';
import type { OrgId } from '@deskside/shared/orgid';
import { normalizePhone } from '@deskside/shared/phone';
import { type Call, type Context, type EntryInput, endpoint } from '#context.ts';
import { planStatus } from '#crm/company.ts';
import { lookupCompany } from '#crm/lookup.ts';
import type { CompanyHit, SearchAnswer } from '#crm/search.ts';
import type { CustomerHit, CustomerSearchResult } from '#helpdesk/customer-search.ts';
import { answerFor, HelpdeskError } from '#helpdesk/errors.ts';
import type { TicketFile } from '#helpdesk/ticket-file.ts';
import { type MatchReason, matchReasons, type Reading, readQuery } from '#intake/read-query.ts';
import { type CompanyIds, choiceRank, isRejected } from '#trust/companies.ts';
import { earlierChoices, recordsOf, senderAddress } from '#trust/evidence.ts';

/** As many as a person compares. */
const mostShown = 10;

/** As many as are proposed to somebody who has not asked. */
const mostProposed = 3;

/** How long somebody waits for what the CRM adds to a company that only the helpdesk found. */
const completeWithinMs = 2_000;

/**
 * Finds the companies that an agent may mean by what they typed (docs/api.md#find-company), for a ticket that they may
 * read: in the helpdesk as themselves, and in the CRM. Either may fail and is then named; what the other has is still
 * found. Throws what `openTicket` throws, and `rate_limited`.
 */
export async function findCompanies(
  ctx: Call,
  { ticket, query }: EntryInput<typeof contract.findCompanies>,
): Promise<FindData> {
  const { gate, caller, signal } = ctx;
  const agent = await gate.requireAgent(caller, signal);
  const file = await gate.openTicket(caller, ticket, signal);
  if (query === undefined) return findBySender(ctx, file);
  const readings = readQuery(query, ctx.hosts);
  if (readings.length === 0) return answer(ctx, ticket, { readings, crm: await searchCrm(ctx, []) });
  return ctx.limitSearches(agent, signal, async () => {
    const [helpdesk, crm, choices] = await Promise.all([
      searchHelpdesk(ctx, readings),
      searchCrm(ctx, readings),
      // They order what is found; without them it is found all the same.
      earlierChoices(ctx, file.ticket).catch(() => []),
    ]);
    const found = orderFound(mergeHits(readings, { ...helpdesk, companies: crm.companies }), choices);
    const first = found.slice(0, mostShown);
    const companies = crm.status === 'searched' ? await complete(ctx, first) : first;
    const more = found.length > mostShown || helpdesk.isCut || crm.isCut;
    return answer(ctx, ticket, { readings, companies, more, helpdesk, crm });
  });
}

/**
 * The companies that have the sender's address or, if none has it, their telephone: at most three, none that an agent has
 * rejected for them. It costs the CRM one request a ticket, in the lane of those for whom nobody waits, and nothing while
 * the answer is remembered.
 */
async function findBySender(ctx: Call, { ticket, contact }: TicketFile): Promise<FindData> {
  const { name } = ticket;
  const sender = senderAddress(ticket.origin);
  const phone = [contact?.mobile_no, contact?.phone].map((number) => normalizePhone(number ?? '')).find(Boolean);
  const readings: Reading[] = [
    ...(sender ? [{ kind: 'email' as const, value: sender }] : []),
    ...(phone ? [{ kind: 'phone' as const, value: phone }] : []),
  ];
  if (readings.length === 0) return answer(ctx, name, { readings, crm: await searchCrm(ctx, []) });
  const key = JSON.stringify([name, readings]);
  const known = ctx.remembered.bySender.get(key);
  const crm = known ? { ...known, status: 'searched' as const } : await searchCrm(ctx, readings, 'open');
  if (crm.status === 'searched') ctx.remembered.bySender.set(key, crm);
  const { rejections } = await recordsOf(ctx, ticket);
  const found = orderFound(mergeHits(readings, { companies: crm.companies, customers: [] }), []).filter(
    ({ orgId, crmId }) => orgId !== null && !isRejected({ orgId, crmCompanyId: crmId }, rejections),
  );
  const byAddress = found.filter(({ reasons }) => reasons.some(({ by }) => by === 'email'));
  const proposed = byAddress.length > 0 ? byAddress : found;
  const companies = proposed.slice(0, mostProposed);
  return answer(ctx, name, { readings, companies, more: proposed.length > mostProposed || crm.isCut, crm });
}

async function searchHelpdesk(
  { helpdesk, caller, signal }: Call,
  readings: readonly Reading[],
): Promise<CustomerSearchResult & { status: FindData['helpdesk']['status'] }> {
  try {
    return { ...(await helpdesk.customerSearch.searchAs(caller, readings, signal)), status: 'searched' };
  } catch (error) {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'unauthenticated') throw answerFor(error);
    return { customers: [], isCut: false, status: error.kind === 'forbidden' ? 'not_permitted' : 'failed' };
  }
}

type CrmSearchAnswer = SearchAnswer & { status: FindData['crm']['status'] };

async function searchCrm(
  { crm, crmEnabled }: Context,
  readings: readonly Reading[],
  lane?: 'open',
): Promise<CrmSearchAnswer> {
  const none = { companies: [], isCut: false, failed: null };
  if (!crmEnabled) return { ...none, status: 'disabled' };
  if (crm === null) return { ...none, status: 'missing_config' };
  if (readings.length === 0) return { ...none, status: 'searched' };
  const answer = await crm.search(readings, lane);
  return { ...answer, status: answer.failed === null ? 'searched' : 'failed' };
}

/**
 * What the helpdesk alone has, as the CRM knows it by its org id: all in one request, and the Sync that follows needs
 * that answer anyway. What the CRM does not have, or not in time, stays as the helpdesk has it.
 */
async function complete({ crm }: Context, found: readonly OfferedCompany[]): Promise<OfferedCompany[]> {
  if (crm === null) return [...found];
  const how = { first: 'platform_org_id', refresh: false, acceptsStale: true } as const;
  return Promise.all(
    found.map(async (one) => {
      if (one.crmId !== null || one.orgId === null) return one;
      const looked = await lookupCompany(crm, { ...how, orgId: one.orgId, deadlineMs: completeWithinMs });
      const [company] = looked.companies;
      if (company === undefined) return one;
      const { bitrix_id: crmId, company_name, url, current_shopplan, ...fields } = company.fields;
      const { planExpiresAt, modifiedAt } = company;
      const phone = fields.owner_phone ?? fields.company_phone;
      const of = {
        crmId,
        url,
        planExpiresAt,
        modifiedAt,
        phone,
        owner: fields.owner_name,
        region: fields.address_region,
      };
      return { ...one, ...of, name: company_name ?? one.name, plan: current_shopplan };
    }),
  );
}

interface SearchParts {
  readings: readonly Reading[];
  crm: CrmSearchAnswer;
  helpdesk?: Pick<FindData['helpdesk'], 'status'>;
  companies?: readonly OfferedCompany[];
  more?: boolean;
}

function answer(
  ctx: Call,
  ticket: string,
  { readings, crm, helpdesk, companies = [], more = false }: SearchParts,
): FindData {
  const now = ctx.clock();
  return {
    ticket,
    read_as: readings.map(({ kind }) => kind),
    companies: companies.map((one) => shown(one, now)),
    more,
    helpdesk: { status: helpdesk?.status ?? 'searched' },
    crm: { status: crm.status, error: crm.failed && { code: crm.failed, request_id: ctx.requestId } },
  };
}

function shown(
  { orgId, crmId, name, url, plan, owner, phone, region, planExpiresAt, customer, twins, reasons }: OfferedCompany,
  now: number,
): FoundCompany {
  const { shopplan_status: plan_status, shopplan_days_left: plan_days_left } = planStatus(planExpiresAt, now);
  return {
    org_id: orgId,
    bitrix_id: crmId,
    name,
    url,
    plan,
    owner,
    phone_end: /\d{3}$/.exec(normalizePhone(phone ?? '') ?? '')?.[0] ?? null,
    region,
    customer,
    same_org_id: twins,
    ...(plan_status !== undefined && { plan_status }),
    ...(plan_days_left !== undefined && { plan_days_left }),
    found_by: reasons.map(({ by, value, person }) => ({ by, value, person })),
  };
}

/** A company as it is offered: what CRM and helpdesk have of it, and why it was found. */
export interface OfferedCompany extends Omit<CompanyHit, 'crmId' | 'isFirst' | 'marks'> {
  crmId: string | null;
  /** The helpdesk's customer; null if it has none, or it was not found. */
  customer: string | null;
  /** Further companies in the CRM with the same org id: this is the one in use (docs/crm.md#lost-filters). */
  twins: number;
  /** Closest first; at least one. */
  reasons: MatchReason[];
}

/**
 * What was found in CRM and helpdesk, each company once: by its org id, or where one of them has none, by the CRM's id.
 * Records that do not match are left out. In no particular order.
 */
export function mergeHits(
  readings: readonly Reading[],
  { companies, customers }: { companies: readonly CompanyHit[]; customers: readonly CustomerHit[] },
): OfferedCompany[] {
  const found: OfferedCompany[] = [];
  const byCrmId = new Map<string, OfferedCompany>();
  const withOrgId = (orgId: OrgId | null) => (orgId === null ? undefined : found.find((one) => one.orgId === orgId));
  for (const { crmId, marks, isFirst: _, ...company } of companies.toSorted(asLookedUp)) {
    const reasons = matchReasons(readings, marks);
    if (reasons.length === 0 || byCrmId.has(crmId)) continue;
    const same = withOrgId(company.orgId);
    if (same) {
      same.twins += 1;
      same.reasons.push(...reasons);
    } else found.push({ ...company, crmId, customer: null, twins: 0, reasons });
    byCrmId.set(crmId, same ?? (found.at(-1) as OfferedCompany));
  }
  for (const { name, orgId, crmId, plan, marks } of customers) {
    const reasons = matchReasons(readings, marks);
    if (reasons.length === 0) continue;
    const linked = crmId === null ? undefined : byCrmId.get(crmId);
    // A customer of another org id is another company's, whatever its CRM id says.
    const same = withOrgId(orgId) ?? (linked && (orgId === null || linked.orgId === null) ? linked : undefined);
    if (same) {
      same.customer ??= name;
      same.orgId ??= orgId;
      same.plan ??= plan;
      same.reasons.push(...reasons);
    } else {
      const ofCrm = { url: null, owner: null, phone: null, region: null, planExpiresAt: null, modifiedAt: null };
      found.push({ ...ofCrm, orgId, crmId, name, plan, customer: name, twins: 0, reasons });
    }
  }
  return found.map((one) => ({ ...one, reasons: closest(one.reasons) }));
}

/** Of several companies with one org id the one that a look-up takes comes first. */
function asLookedUp(a: CompanyHit, b: CompanyHit): number {
  const [first, second] = [Number(b.isFirst) - Number(a.isFirst), Number(b.crmId) - Number(a.crmId)];
  return first || (b.modifiedAt ?? 0) - (a.modifiedAt ?? 0) || second;
}

/** The closest reason of each kind: CRM and helpdesk may write the same in two ways. */
function closest(reasons: readonly MatchReason[]): MatchReason[] {
  const ranked = reasons.toSorted((a, b) => a.rank - b.rank);
  return ranked.filter(({ by }, at) => ranked.findIndex((other) => other.by === by) === at);
}

/**
 * The companies in the order in which they are offered: the closest match first; of equals what agents chose earlier for
 * the ticket's sender (decision 10: who leads), then those that can be linked, then those that the helpdesk knows already,
 * then the one that the CRM changed last.
 */
export function orderFound(found: readonly OfferedCompany[], choices: readonly CompanyIds[]): OfferedCompany[] {
  const choiceOf = ({ orgId, crmId }: OfferedCompany) => choiceRank({ orgId, crmCompanyId: crmId }, choices);
  return found.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      choiceOf(a) - choiceOf(b) ||
      Number(b.orgId !== null) - Number(a.orgId !== null) ||
      Number(b.customer !== null) - Number(a.customer !== null) ||
      (b.modifiedAt ?? 0) - (a.modifiedAt ?? 0) ||
      (a.name ?? '').localeCompare(b.name ?? '') ||
      (a.crmId ?? '').localeCompare(b.crmId ?? '') ||
      (a.orgId ?? '').localeCompare(b.orgId ?? ''),
  );
}

function rankOf({ reasons }: OfferedCompany): number {
  return reasons[0]?.rank ?? Number.MAX_SAFE_INTEGER;
}

export const findEndpoint = endpoint(contract.findCompanies, {
  who: 'agent',
  handle: findCompanies,
  message: findMessage,
});

function findMessage({ read_as, companies, crm, helpdesk }: FindData): string {
  if (read_as.length === 0) return 'Nothing to search for.';
  if (companies.length > 0) return 'Companies found.';
  return crm.status === 'failed' || helpdesk.status === 'failed' ? 'The search failed in part.' : 'No company found.';
}
