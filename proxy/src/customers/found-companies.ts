import type { OrgId } from '@deskside/shared/orgid';
import type { CompanyHit } from '#crm/search.ts';
import type { CustomerHit } from '#helpdesk/customer-search.ts';
import { type MatchReason, matchReasons, type Reading } from '#intake/read-query.ts';
import { type CompanyIds, choiceRank } from '#trust/companies.ts';

/** A company as it is offered: what CRM and helpdesk have of it, and why it was found. */
export interface Found {
  orgId: OrgId | null;
  crmId: string | null;
  name: string | null;
  url: string | null;
  plan: string | null;
  planExpiresAt: number | null;
  modifiedAt: number | null;
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
): Found[] {
  const found: Found[] = [];
  const byCrmId = new Map<string, Found>();
  const withOrgId = (orgId: OrgId | null) => (orgId === null ? undefined : found.find((one) => one.orgId === orgId));
  for (const { crmId, marks, isFirst: _, ...company } of companies.toSorted(asLookedUp)) {
    const reasons = matchReasons(readings, marks);
    if (reasons.length === 0 || byCrmId.has(crmId)) continue;
    const same = withOrgId(company.orgId);
    if (same) {
      same.twins += 1;
      same.reasons.push(...reasons);
    } else found.push({ ...company, crmId, customer: null, twins: 0, reasons });
    byCrmId.set(crmId, same ?? (found.at(-1) as Found));
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
    } else
      found.push({
        orgId,
        crmId,
        name,
        url: null,
        plan,
        planExpiresAt: null,
        modifiedAt: null,
        customer: name,
        twins: 0,
        reasons,
      });
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
 * the ticket's sender (docs/decisions.md 10), then those that can be linked, then those that the helpdesk knows already,
 * then the one that the CRM changed last.
 */
export function orderFound(found: readonly Found[], choices: readonly CompanyIds[]): Found[] {
  const choiceOf = ({ orgId, crmId }: Found) => choiceRank({ orgId, crmCompanyId: crmId }, choices);
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

function rankOf({ reasons }: Found): number {
  return reasons[0]?.rank ?? Number.MAX_SAFE_INTEGER;
}
