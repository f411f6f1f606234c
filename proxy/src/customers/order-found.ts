import { type CompanyIds, choiceRank } from '#trust/agents-word.ts';
import type { FoundCompany } from './found-company.ts';

/**
 * The companies in the order in which they are offered: the closest match first; of equals what agents chose earlier for
 * the ticket's sender (docs/decisions.md 29), then those that can be linked, then those that the helpdesk knows already,
 * then the one that the CRM changed last.
 */
export function orderFound(found: readonly FoundCompany[], choices: readonly CompanyIds[]): FoundCompany[] {
  const choiceOf = ({ orgId, crmId }: FoundCompany) => choiceRank({ orgId, crmCompanyId: crmId }, choices);
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

function rankOf({ reasons }: FoundCompany): number {
  return reasons[0]?.rank ?? Number.MAX_SAFE_INTEGER;
}
